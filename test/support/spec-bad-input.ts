import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { BASES } from './spec-bad-input-bases.ts';
import { A, B, PATHS } from './spec-gateway.ts';

/** One request as it leaves the client. */
export interface BadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

type Json = fc.JsonValue;

const WORDS = [
  ...[
    'model',
    'messages',
    'input',
    'stream',
    'role',
    'content',
    'type',
    'text',
    'tools',
    'function',
  ],
  ...[
    'name',
    'arguments',
    'tool_choice',
    'reasoning',
    'effort',
    'cache_control',
    'provider',
    'only',
  ],
  ...[
    'metadata',
    'user',
    'image_url',
    'file_id',
    '__proto__',
    'constructor',
    'toString',
    'length',
    '',
  ],
];
const STRANGE: readonly Json[] = [
  ...[
    null,
    true,
    0,
    -1,
    1e308,
    1e21,
    0.1,
    '',
    ' ',
    'none',
    'required',
    'auto',
    'constructor',
    '__proto__',
  ],
  ...[
    '\u0000',
    '\ud800',
    '\u2028',
    'x'.repeat(70_000),
    '🎉'.repeat(300),
    '{"a":',
    A,
    B,
    'claude-fable-5',
  ],
  ...[
    [],
    {},
    [[]],
    [{}],
    [null],
    { type: 'image_url' },
    { '': '' },
    { type: 'text' },
    { role: 'user' },
  ],
];

const strangeValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...STRANGE) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 130 }).map(nested) },
);

function nested(depth: number): Json {
  let value: Json = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

type Holder = Record<string, unknown>;

/** Every place of a value: what holds it, and its key there. */
function places(value: unknown): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return [];
  // Objects and lists alike are written through their keys.
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key): [Holder, string][] => [
    [holder, key],
    ...places(holder[key]),
  ]);
}

interface Mutation {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'rename' | 'add' | 'repeat';
  readonly word: string;
  readonly value: Json;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'rename', 'add', 'repeat'),
  word: fc.oneof(fc.constantFrom(...WORDS), fc.string()),
  value: strangeValue,
});

function mutate(body: Record<string, unknown>, { at, kind, word, ...mutation }: Mutation): void {
  // A later mutation may write into it.
  const value = structuredClone(mutation.value);
  const all = places(body);
  const [holder, key] = all[at % all.length] ?? [body, 'model'];
  const held = holder[key];
  if (kind === 'remove') delete holder[key];
  else if (kind === 'add') set(holder, word, value);
  else if (kind === 'repeat') holder[key] = [held, held];
  else if (kind === 'rename') {
    delete holder[key];
    set(holder, word, held);
  } else holder[key] = value;
}

/** As an own key, whatever its name; a list just grows. */
function set(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder)) return void holder.push(value);
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Good requests of which something was changed: the path, and the body's JSON text. */
export const mutated = fc
  .tuple(fc.constantFrom(...BASES), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([[path, base], mutations]) => {
    const body = structuredClone(base);
    for (const each of mutations) mutate(body, each);
    return { path, text: JSON.stringify(body) };
  });

const anyPath = fc.constantFrom(PATHS.chat, PATHS.responses);
const randomJson = fc.record({
  path: anyPath,
  text: fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.dictionary(fc.constantFrom(...WORDS), strangeValue).map((value) => JSON.stringify(value)),
  ),
});
/** JSON cut off, or with something in its middle. */
const brokenJson = fc
  .tuple(fc.constantFrom(...BASES), fc.nat(400), fc.string({ unit: 'binary' }))
  .map(([[path, base], at, inserted]) => {
    const text = JSON.stringify(base);
    return { path, text: text.slice(0, at) + inserted + (at % 2 === 0 ? '' : text.slice(at)) };
  });

const ENCODERS: Readonly<Record<string, (text: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

/** How the text becomes bytes: mostly as it is, else compressed, mislabelled or damaged. */
const encoding = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant({ label: undefined, encoder: undefined, damage: undefined }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      label: fc.constantFrom(
        'gzip',
        'deflate',
        'br',
        'zstd',
        'identity',
        'compress',
        'gzip, gzip',
        '',
      ),
      encoder: fc.constantFrom(undefined, ...Object.keys(ENCODERS)),
      damage: fc.option(fc.nat(100), { nil: undefined }),
    }),
  },
);

function encode(
  text: string,
  { encoder, damage }: { encoder: string | undefined; damage: number | undefined },
) {
  const plain = Buffer.from(text);
  const bytes = Uint8Array.from(
    encoder === undefined ? plain : (ENCODERS[encoder]?.(plain) ?? plain),
  );
  if (damage !== undefined && bytes.length > 0) bytes[damage % bytes.length] = damage;
  return bytes;
}

const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
/** Headers beside the key; the key itself is mostly good. */
const headers = (apiKey: string) =>
  fc.record(
    {
      'content-type': fc.oneof(
        { weight: 8, arbitrary: fc.constant('application/json') },
        fc.constantFrom(
          'text/plain',
          'application/json; charset=utf-16',
          'application/vnd.api+json',
          'multipart/form-data',
          '',
        ),
        headerText,
      ),
      authorization: fc.oneof(
        { weight: 12, arbitrary: fc.constant(`Bearer ${apiKey}`) },
        fc.constantFrom(
          apiKey,
          'Bearer',
          `Basic ${apiKey}`,
          `${apiKey}x`,
          `Bearer ${apiKey} ${apiKey}`,
        ),
        headerText,
      ),
      'x-gateway-return-extra-fields': fc.constantFrom(
        'provider,raw_request,raw_response,latency',
        'x',
        ',',
        'PROVIDER',
      ),
      'x-api-key': fc.oneof(fc.constant(apiKey), headerText),
      accept: headerText,
      'x-request-id': headerText,
      'x-forwarded-for': headerText,
    },
    { requiredKeys: ['content-type', 'authorization'] },
  );

/** Requests that are mostly wrong in some way, on both routes and beside them. */
export function badRequest(apiKey: string): fc.Arbitrary<BadRequest> {
  const mostHeaders = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constant({
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
      }),
    },
    { weight: 1, arbitrary: headers(apiKey) },
  );
  return fc
    .record({
      request: fc.oneof(
        { weight: 6, arbitrary: mutated },
        { weight: 1, arbitrary: randomJson },
        { weight: 1, arbitrary: brokenJson },
      ),
      encoding,
      headers: mostHeaders,
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant('POST') },
        fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      ),
      suffix: fc.oneof(
        { weight: 30, arbitrary: fc.constant('') },
        fc.constantFrom('?a=%00', '/', '/..', '%2f', '?', '#x'),
      ),
    })
    .map(({ request, encoding: how, headers: sent, method, suffix }) => ({
      method,
      path: request.path + suffix,
      headers: how.label === undefined ? sent : { ...sent, 'content-encoding': how.label },
      body: encode(request.text, how),
    }));
}
