import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { ProviderId } from '../../../shared/catalog/types.ts';
import type { UpstreamRequest } from '../../../shared/providers/contract.ts';
import { createSender, cutUpstreamCalls } from '../../../shared/upstream/send.ts';
import { UPSTREAM_DEADLINES, type Upstreams } from '../../../shared/upstream/settings.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';

const REQUEST: UpstreamRequest = { api: 'messages', body: { model: 'm' }, headers: {} };
const OK = { json: { fine: true } };

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
});
afterEach(() => upstream.close());
afterAll(() => cutUpstreamCalls());

/** A source whose next renewal brings the next credential of a list; undefined: none. */
function sourceOf(...credentials: (string | undefined)[]) {
  let at = 0;
  let renewals = 0;
  const now = async (): Promise<Upstreams> => {
    const settings = { url: upstream.url, credential: credentials[at] };
    return { openai: settings, azure: settings, anthropic: settings };
  };
  return {
    current: now,
    renewed: () => {
      renewals += 1;
      at = Math.min(at + 1, credentials.length - 1);
      return now();
    },
    renewals: () => renewals,
  };
}

const senderOf = (source: ReturnType<typeof sourceOf>) => createSender(source, UPSTREAM_DEADLINES);
const sent = () => upstream.requests.map(({ headers }) => headers['x-api-key']);

test.each<[ProviderId, object]>([
  ['openai', { authorization: 'Bearer key' }],
  ['azure', { 'api-key': 'key' }],
  ['anthropic', { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' }],
])(
  '%s gets its credential in its own header, and none where there is none',
  async (provider, headers) => {
    upstream.enqueue(OK, OK);
    await senderOf(sourceOf('key'))(provider, REQUEST);
    await senderOf(sourceOf(undefined))(provider, REQUEST);
    expect(upstream.requests[0]?.headers).toMatchObject(headers);
    expect(JSON.stringify(upstream.requests[0]?.headers)).toContain('key');
    expect(JSON.stringify(upstream.requests[1]?.headers)).not.toMatch(
      /key|undefined|authorization/,
    );
  },
);

test.each([401, 403])(
  '%d with a credential that was replaced is tried once more',
  async (status) => {
    upstream.enqueue({ status, json: {} }, OK);
    const answer = await senderOf(sourceOf('old', 'new'))('anthropic', REQUEST);
    expect([answer.status, await text(answer.body)]).toEqual([200, '{"fine":true}']);
    expect(sent()).toEqual(['old', 'new']);
    expect(upstream.requests[1]?.text).toBe(upstream.requests[0]?.text);
  },
);

test('a refusal of the new credential as well is the answer: there is no third attempt', async () => {
  upstream.enqueue({ status: 401, json: {} }, { status: 401, json: { second: true } });
  const answer = await senderOf(sourceOf('old', 'new', 'newer'))('anthropic', REQUEST);
  expect([answer.status, await text(answer.body)]).toEqual([401, '{"second":true}']);
  expect(sent()).toEqual(['old', 'new']);
});

test('a refusal while nothing was replaced is the answer, body and all', async () => {
  upstream.enqueue({ status: 401, json: { why: 'revoked' } });
  const source = sourceOf('old');
  const answer = await senderOf(source)('anthropic', REQUEST);
  expect([answer.status, await text(answer.body)]).toEqual([401, '{"why":"revoked"}']);
  expect([sent(), source.renewals()]).toEqual([['old'], 1]);
});

test.each([400, 402, 404, 429, 500, 529])('%d is no matter of the credential', async (status) => {
  upstream.enqueue({ status, json: {} });
  const source = sourceOf('old', 'new');
  expect((await senderOf(source)('anthropic', REQUEST)).status).toBe(status);
  expect([sent(), source.renewals()]).toEqual([['old'], 0]);
});

test('what another request renewed meanwhile is used without renewing again', async () => {
  const source = sourceOf('old', 'new', 'newest');
  const refusal = Promise.withResolvers<void>();
  upstream.enqueue({ status: 401, json: {}, when: refusal.promise }, OK);
  const answer = senderOf(source)('anthropic', REQUEST);
  await expect.poll(() => upstream.requests.length).toBe(1);
  await source.renewed();
  refusal.resolve();
  expect((await answer).status).toBe(200);
  expect([sent(), source.renewals()]).toEqual([['old', 'new'], 1]);
});

test('a provider that is not set up is not asked', async () => {
  const send = createSender(
    { current: async () => ({}), renewed: async () => ({}) },
    UPSTREAM_DEADLINES,
  );
  await expect(send('azure', REQUEST)).rejects.toThrow('azure');
  expect(upstream.requests).toEqual([]);
});

test('a host that must stop breaks off what runs, in every sender, and refuses what is new', async () => {
  const senders = [senderOf(sourceOf('key')), senderOf(sourceOf('key'))];
  const stall = { sse: 'anthropic', events: [{ type: 'ping' }], stall: true } as const;
  upstream.enqueue(stall, stall, { ...OK, when: new Promise(() => undefined) });
  const bodies = await Promise.all(senders.map((send) => send('anthropic', REQUEST)));
  const reads = bodies.map(({ body }) => expect(text(body)).rejects.toThrow());
  const unanswered = senders.map((send) => expect(send('anthropic', REQUEST)).rejects.toThrow());
  await cutUpstreamCalls();
  await Promise.all([...reads, ...unanswered]);
  for (const send of senders) await expect(send('anthropic', REQUEST)).rejects.toThrow();
});
