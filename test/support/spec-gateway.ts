import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { scriptedProviders } from './money.ts';
import { expectDocumented, expectRequestDocumented } from './openapi.ts';
import { chatAnswer, messagesAnswer, responsesAnswer } from './provider-answers.ts';
import {
  type AnswerScript,
  type ReceivedRequest,
  type ScriptedAnswer,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream.ts';

export type Route = 'chat' | 'responses';
export type Fields = Readonly<Record<string, unknown>>;

export const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses' } as const;
/** A model of each family: A is served by OpenAI and Azure, B by Anthropic. */
export const A = 'gpt-5.6-sol';
export const B = 'claude-sonnet-5';

/** Tokens of the test key's bucket, which practically never refills: each one that is taken shows. */
const BURST = 100_000;
const REFILL_A_SECOND = '0.001';

const TEXT = 'Grüße aus Zürich 🎉';
const COUNTED = { input: 1_000, cached: 200, output: 50 };

export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON; undefined for a stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies of many shapes
  readonly body: any;
}

export interface Accepted extends ClientAnswer {
  /** The one request that arrived upstream. */
  readonly sent: ReceivedRequest;
}

export interface IssuedKey {
  readonly apiKey: string;
  readonly keyId: string;
  readonly accountId: string;
}

/** A running gateway with a scripted upstream and one key, for the claims of one file. */
export interface SpecGateway {
  readonly gateway: () => RunningGateway;
  readonly upstream: () => ScriptedUpstream;
  readonly key: () => IssuedKey;
  /** Sends a request as it stands; a string body is sent verbatim. Its answer is as `openapi.json` says. */
  readonly post: (at: string, body: unknown, init?: PostOptions) => Promise<ClientAnswer>;
  /** A request that must be served: its answer and what arrived upstream. */
  readonly accept: (route: Route, fields: Fields, options?: AcceptOptions) => Promise<Accepted>;
  /** A request that must be refused with 400, by a message that matches, and never sent. */
  readonly refuse: (route: Route, fields: Fields, message: RegExp) => Promise<ClientAnswer>;
  /** An admin command on the gateway's database. */
  // biome-ignore lint/suspicious/noExplicitAny: each command answers in another shape
  readonly admin: (...words: string[]) => Promise<any>;
  readonly newKey: (credit: string, ...limits: string[]) => Promise<IssuedKey>;
  /** The ledger entry of a request, once it is written. */
  // biome-ignore lint/suspicious/noExplicitAny: entries have many fields
  readonly entryOf: (requestId: string | null) => Promise<any>;
  /** Counts a request that took a token outside of `accept`. */
  readonly tookToken: () => void;
}

export interface PostOptions {
  readonly method?: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AcceptOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer?: AnswerScript;
}

/** The least that each route takes, with further fields. */
export function requestOf(route: Route, fields: Fields = {}): Record<string, unknown> {
  const content =
    route === 'chat' ? { messages: [{ role: 'user', content: 'Hi' }] } : { input: 'Hi' };
  return { model: A, ...content, ...fields };
}

/** A good answer of whichever API was called, streamed where it was asked so. */
export function anyAnswer({ path, body }: ReceivedRequest): ScriptedAnswer {
  const options = { turn: { text: TEXT }, counted: COUNTED, stream: body?.stream === true };
  if (path.endsWith('/messages')) return messagesAnswer(options);
  return path.endsWith('/responses') ? responsesAnswer(options) : chatAnswer(options);
}

/** The exact shape of part 7. */
export function errorShape(type: string) {
  return { error: { message: expect.stringMatching(/\w/), type } };
}

/** The JSON frames of an event stream, whose last frame must be `[DONE]`. */
// biome-ignore lint/suspicious/noExplicitAny: frames have many shapes
export function jsonFrames(text: string): any[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  expect(frames.every((frame) => frame.startsWith('data: '))).toBe(true);
  expect(frames.at(-1)).toBe('data: [DONE]');
  return frames.slice(0, -1).map((frame) => JSON.parse(frame.slice('data: '.length)));
}

/** Starts gateway, upstream and key before the file's claims, and ends all after them. */
export function useSpecGateway(): SpecGateway {
  let upstream: ScriptedUpstream | undefined;
  let gateway: RunningGateway | undefined;
  let key: IssuedKey | undefined;
  let taken = 0;
  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    gateway = await startGateway({ environment: scriptedProviders(upstream) });
    key = await spec.newKey('1000000.00', '--burst', String(BURST), '--rate', REFILL_A_SECOND);
  });
  afterAll(async () => {
    await gateway?.stop();
    await upstream?.close();
  });
  const started = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('the gateway was not started');
    return thing;
  };
  const spec: SpecGateway = {
    gateway: () => started(gateway),
    upstream: () => started(upstream),
    key: () => started(key),
    post: (at, body, init = {}) => post(spec, at, body, init),
    accept: (route, fields, options = {}) => {
      taken += 1;
      return accept(spec, requestOf(route, fields), { ...options, path: PATHS[route] });
    },
    refuse: (route, fields, message) => refuse(spec, requestOf(route, fields), { route, message }),
    admin: (...words) => spec.gateway().admin(...words),
    newKey: async (credit, ...limits) => {
      const { admin } = spec;
      const account = await admin('account', 'create', '--name', 'spec', '--credit', credit);
      const issued = await admin('key', 'create', '--account', account.accountId, ...limits);
      return { ...issued, accountId: account.accountId };
    },
    entryOf: (requestId) => entryOf(spec, requestId),
    tookToken: () => {
      taken += 1;
    },
  };
  claimNothingLeft(spec, () => taken);
  return spec;
}

/** Registered by the support, run after all claims of the file. */
function claimNothingLeft(spec: SpecGateway, taken: () => number): void {
  afterAll(async () => {
    const { headers } = await spec.accept('chat', {});
    const remaining = Number(headers.get('x-ratelimit-remaining-requests'));
    // What was refused took no token of the bucket, and no hold stands.
    expect(BURST - remaining, 'tokens taken').toBe(taken());
    await eventually(async () => {
      const account = await spec.admin('account', 'show', spec.key().accountId);
      expect(account).toMatchObject({ held: '0.00', openHolds: 0 });
    });
  });
}

async function post(
  spec: SpecGateway,
  at: string,
  body: unknown,
  { method = 'POST', headers = {}, ...options }: PostOptions,
): Promise<ClientAnswer> {
  const apiKey = 'apiKey' in options ? options.apiKey : spec.key().apiKey;
  const response = await fetch(`${spec.gateway().url}${at}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bodyText(body) }),
  });
  const text = await response.text();
  expectDocumented(
    { method, path: at.replace(/\?.*$/, '') },
    { status: response.status, headers: response.headers, text },
  );
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

function bodyText(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body);
}

async function accept(
  spec: SpecGateway,
  body: Fields,
  { path, headers = {}, answer = anyAnswer }: AcceptOptions & { path: string },
): Promise<Accepted> {
  const upstream = spec.upstream();
  // An earlier request that was wrongly refused left its answer behind.
  while (upstream.pending() > 0) await fetch(upstream.url, { method: 'POST', body: '{}' });
  const before = upstream.requests.length;
  upstream.enqueue(answer);
  const got = await post(spec, path, body, { headers });
  expect(got.status, got.text.slice(0, 600)).toBe(200);
  const [sent, another] = upstream.requests.slice(before);
  if (!sent || another) throw new Error('exactly one request should have arrived upstream');
  expectRequestDocumented(path, JSON.parse(JSON.stringify(body)));
  // What Anthropic's API answered, the gateway wrote anew: nothing else may be in it.
  if (sent.path.endsWith('/messages')) {
    expectDocumented({ method: 'POST', path }, got, 'closed');
  }
  return { ...got, sent };
}

async function refuse(
  spec: SpecGateway,
  body: Fields,
  { route, message }: { route: Route; message: RegExp },
): Promise<ClientAnswer> {
  const before = spec.upstream().requests.length;
  const answer = await post(spec, PATHS[route], body, {});
  expect(answer.status, answer.text.slice(0, 600)).toBe(400);
  expect(answer.body).toEqual(errorShape('invalid_request_error'));
  expect(answer.body.error.message).toMatch(message);
  expect(spec.upstream().requests.length).toBe(before);
  return answer;
}

async function entryOf(spec: SpecGateway, requestId: string | null) {
  return eventually(async () => {
    const entries = await spec.admin('ledger', 'list', '--account', spec.key().accountId);
    const entry = entries.find(
      (candidate: { requestId: string }) => candidate.requestId === requestId,
    );
    expect(entry).toBeDefined();
    return entry;
  });
}

/** One accepted form of a field: what must arrive upstream, and what must not. */
export interface AcceptedForm {
  /** `<part> <row>: <what holds>` */
  readonly claim: string;
  readonly fields: Fields;
  /** Matched by `toMatchObject` against the body that arrived upstream. */
  readonly sent?: Fields;
  /** Keys that the upstream body must not have. */
  readonly without?: readonly string[];
  /** Path at the scripted upstream; by default not looked at. */
  readonly path?: string;
}

/** One refused form of a field. */
export interface RefusedForm {
  readonly claim: string;
  readonly fields: Fields;
  /** The message names the field at fault. */
  readonly names: RegExp;
}

/** What a route must take of one topic, and what it must refuse. */
export interface Claims {
  readonly accepted: readonly AcceptedForm[];
  readonly refused: readonly RefusedForm[];
}

/** A test for each form. */
export function claimForms(spec: SpecGateway, route: Route, { accepted, refused }: Claims): void {
  for (const { claim, fields, sent = {}, without = [], path } of accepted) {
    test(claim, async () => {
      const answer = await spec.accept(route, fields);
      expect(answer.sent.body).toMatchObject(sent);
      for (const name of without) expect(answer.sent.body).not.toHaveProperty([name]);
      if (path !== undefined) expect(answer.sent.path).toBe(path);
    });
  }
  for (const { claim, fields, names } of refused) {
    test(claim, async () => {
      await spec.refuse(route, fields, names);
    });
  }
}
