import { EXTRA_FIELDS } from '../../shared/gateway/extra-fields.ts';
import { COMMON_HEADERS, preflightHeaders } from '../../shared/http/headers.ts';
import { UUID_V7 } from './answers/relayed.ts';
import type { Schema } from './schema.ts';

interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: string | number;
}

const wholeNumber: Schema = { type: 'string', pattern: '^\\d+$' };
const LIVELY: Readonly<Record<string, Header>> = {
  'x-request-id': {
    description:
      "The gateway's ID of the request, a UUIDv7. The ledger entry and the logs carry it: name it when you ask for help.",
    required: true,
    schema: { type: 'string', pattern: UUID_V7 },
    example: '0198a6c2-7d1e-7c53-9b3a-2f6f4f0f9a11',
  },
  'x-ratelimit-limit-requests': {
    description: "The size of the key's token bucket: how many requests may come at once.",
    schema: wholeNumber,
    example: '60',
  },
  'x-ratelimit-remaining-requests': {
    description: 'Requests that the bucket has room for now.',
    schema: wholeNumber,
    example: '59',
  },
  'x-ratelimit-reset-requests': {
    description: 'Time until the bucket is full again, in seconds.',
    schema: { type: 'string', pattern: '^\\d+\\.\\d{3}s$' },
    example: '0.100s',
  },
  'retry-after': {
    description: 'Whole seconds to wait before the next try, at least 1. Waiting that long works.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
    example: '1',
  },
  'retry-after-ms': {
    description: 'The same in milliseconds, to the millisecond.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
    example: '740',
  },
  'x-should-retry': {
    description: '`false`: another try cannot succeed. The OpenAI client libraries obey it.',
    schema: { type: 'string', const: 'false' },
  },
  etag: {
    description: 'Tag of this version of the document, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"k0J0pTQ4eXQyZ3B0cXlqa2ZzZGZn"',
  },
};

/** Headers whose value is always the same, with what they are for. */
const FIXED: Readonly<Record<string, string>> = {
  'access-control-allow-origin': 'Every origin may call. No credentials of the browser are taken.',
  'access-control-expose-headers': 'The headers that a script may read.',
  'content-security-policy': 'No answer may load or be framed by anything.',
  'referrer-policy': 'Nothing is told to other sites.',
  'strict-transport-security': 'HTTPS only, where HTTPS is served.',
  'x-content-type-options': 'The content type is what it says.',
  'x-frame-options': 'No answer may be framed.',
};

const PREFLIGHT: Readonly<Record<string, Header>> = {
  'access-control-allow-methods': {
    description: 'The method of the path, and `OPTIONS`.',
    required: true,
    schema: { type: 'string', enum: ['GET, OPTIONS', 'POST, OPTIONS'] },
  },
  'access-control-allow-headers': {
    description: 'The headers that the preflight asked for; `*` where it asked for none.',
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'access-control-max-age': {
    description: 'Seconds for which a browser may remember the answer.',
    required: true,
    schema: { type: 'string', const: preflightHeaders('GET', {})['access-control-max-age'] },
  },
  vary: {
    description: 'What the answer depends on.',
    required: true,
    schema: { type: 'string', const: preflightHeaders('GET', {}).vary },
  },
};

const fixed = Object.entries(FIXED).map(([name, description]): [string, Header] => [
  name,
  { description, required: true, schema: { type: 'string', const: COMMON_HEADERS[name] } },
]);

/** Every header that the gateway sends, beside those of HTTP itself. */
export const HEADERS: Readonly<Record<string, Header>> = {
  ...LIVELY,
  'cache-control': {
    description: '`no-cache, no-transform` on streams; five minutes on documents.',
    required: true,
    schema: { type: 'string', enum: ['no-cache, no-transform', 'public, max-age=300'] },
  },
  'x-accel-buffering': {
    description: 'Tells proxies not to gather the events of a stream.',
    schema: { type: 'string', const: 'no' },
  },
  ...PREFLIGHT,
  ...Object.fromEntries(fixed),
};

/** The headers of a response, by reference: those of every answer, and those named. */
export function headerRefs(...names: readonly string[]): Record<string, Schema> {
  const all = [...names, ...Object.keys(FIXED)];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that this response always has, where others may go without. */
export function requiredHeaders(...names: readonly string[]): Record<string, Header> {
  return Object.fromEntries(
    Object.entries(HEADERS)
      .filter(([name]) => names.includes(name))
      .map(([name, header]) => [name, { ...header, required: true }]),
  );
}

export const RATE_LIMIT_HEADERS = [
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
] as const;

/** Headers of requests, as parameters. */
export const PARAMETERS = {
  ReturnExtraFields: {
    name: 'X-Gateway-Return-Extra-Fields',
    in: 'header',
    required: false,
    description: `Names of the fields that the answer should have under \`gateway\`, separated by commas: any of ${EXTRA_FIELDS.map((name) => `\`${name}\``).join(', ')}. In a stream the object stands on the last frame. An unknown name is a 400.`,
    schema: { type: 'string' },
    example: 'provider,latency',
  },
  ContentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    required: false,
    description:
      'How the body is compressed, if it is. The limit of 100,000,000 bytes is counted after decompression.',
    schema: { type: 'string', enum: ['gzip', 'deflate', 'br', 'zstd', 'identity'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `etag` of an earlier answer: where the document is still the same, the answer is an empty 304.',
    schema: { type: 'string' },
  },
} as const;
