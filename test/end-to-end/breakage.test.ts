import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { type Posted, post } from '../support/recording-stream.ts';
import {
  goodAnswer,
  goodStream,
  TARGETS,
  type Target,
  TEXT,
} from '../support/recording-targets.ts';
import type { ScriptedAnswer } from '../support/scripted-upstream.ts';

let scripted: ScriptedGateway;

beforeAll(async () => {
  const environment = { UPSTREAM_FIRST_BYTE_MS: '500', UPSTREAM_STALL_MS: '500' };
  scripted = await startScriptedGateway(environment);
});

afterAll(() => scripted?.stop());

test.each(TARGETS.slice(0, 2))('a ping is not yet an answer: $name', async (target) => {
  const events = [{ type: 'ping' }, target.overloaded];
  const { posted, row } = await ask(target, { ...goodStream(target), events });
  expectStatus(posted, 500, NEUTRAL);
  expect(row).toMatchObject(FREE);
});

test.each(TARGETS.slice(0, 2))(
  'another message spliced into a stream ends it: $name',
  async (target) => {
    const good = goodStream(target);
    const text = JSON.stringify(good.events).replaceAll('msg_scripted', 'msg_other');
    const events = [...good.events.slice(0, 8), ...JSON.parse(text)];
    const { posted } = await ask(target, { ...good, events });
    const { text: seen, outcome } = target.endOf(posted.frames);
    expect(outcome).toBe(target.broken);
    expect(TEXT.startsWith(seen)).toBe(true);
  },
);

/** Asks once with a fresh account; returns the answer and the one ledger row that it left. */
async function ask(target: Target, script: ScriptedAnswer, stream = true) {
  const { apiKey, accountId } = await scripted.newKey();
  scripted.upstream.enqueue(script);
  const posted = await post({
    url: scripted.gateway.url + target.path,
    apiKey,
    body: { model: target.model, ...target.content, stream },
  });
  const [row] = await scripted.settled(accountId, 1);
  return { posted, row };
}

const NEUTRAL = /^(?!.*(secret|overloaded|sk-|too long)).*try again/is;

function expectStatus(posted: Posted, status: number, message: RegExp): void {
  const type = status === 400 ? 'invalid_request_error' : 'gateway_error';
  expect(posted.status).toBe(status);
  expect(posted.json).toEqual({ error: { message: expect.stringMatching(message), type } });
  expect(posted.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(posted.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
}

const FREE = { kind: 'release' };

describe.each(TARGETS)('$name', (target) => {
  const good = goodStream(target);
  const third = good.events.slice(0, 3);
  /** As many events as bring some of the text, and not all of it. */
  const midway = good.events.slice(0, 8);

  describe('before the first event it is a status, and free', () => {
    test.each([
      ['a failure by status', { status: 500, json: { error: { message: 'secret detail' } } }],
      ['our own credential refused', { status: 401, json: { error: { message: 'sk-123 bad' } } }],
      ['overload', { status: 529, json: target.overloaded }],
      ['an HTML page of a proxy', { status: 502, json: '<html>secret</html>' }],
      ['an error as the first event', { ...good, events: [target.overloaded] }],
      ['an empty stream', { ...good, events: [] }],
      ['broken JSON', { ...good, events: ['{"type":'] }],
      ['a connection that breaks', { ...good, cutAfter: 0 }],
      ['no answer at all', { disconnect: true } as const],
      ['an error body in place of a stream', { json: target.overloaded }],
      ['silence until the deadline', { ...good, events: [], stall: true }],
      ['no status until the deadline', { ...good, when: new Promise(() => {}) }],
    ])('%s', async (_name, script: ScriptedAnswer) => {
      const { posted, row } = await ask(target, script);
      expectStatus(posted, 500, NEUTRAL);
      expect(row).toMatchObject(FREE);
    });

    test.each([
      ['a refusal by status', { status: 400, json: target.refused }],
      ['a compressed refusal', { status: 400, json: target.refused, encoding: 'gzip' as const }],
      ['a refusal as the first event', { ...good, events: [target.refused] }],
    ])('%s is a 400 with the provider’s message', async (_name, script: ScriptedAnswer) => {
      const { posted, row } = await ask(target, script);
      expectStatus(posted, 400, /prompt is too long/);
      expect(row).toMatchObject(FREE);
    });

    test('the provider’s own wait is told', async () => {
      const headers = { 'retry-after': '7' };
      const script = { status: 429, headers, json: target.overloaded };
      const { posted } = await ask(target, script);
      expectStatus(posted, 500, NEUTRAL);
      expect(posted.headers.get('retry-after')).toBe('7');
    });
  });

  describe('after it, what came stays, one terminal frame ends it, and what came is charged', () => {
    test.each([
      ['an error event', { ...good, events: [...midway, target.overloaded, ...midway] }],
      ['broken JSON', { ...good, events: [...midway, '{"type":'] }],
      ['a connection that breaks', { ...good, cutAfter: 8 }],
      ['a compressed stream that breaks', { ...good, cutAfter: 8, encoding: 'gzip' as const }],
      ...(['gzip', 'br', 'zstd'] as const).map((encoding): [string, ScriptedAnswer] => [
        `a stall of a stream in ${encoding}`,
        { ...good, events: midway, stall: true, encoding },
      ]),
      ['an end too early', { ...good, events: midway }],
      ['a stall', { ...good, events: midway, stall: true }],
    ])('%s', async (_name, script: ScriptedAnswer) => {
      const { posted, row } = await ask(target, script);
      expect(posted.status).toBe(200);
      const { text, outcome, error } = target.endOf(posted.frames);
      expect(outcome).toBe(target.broken);
      expect(error.message).toMatch(NEUTRAL);
      expect(text.length).toBeGreaterThan(4);
      expect(TEXT.startsWith(text)).toBe(true);
      expect(row).toMatchObject({ kind: 'charge', estimated: true, status: 'interrupted' });
      expect(row).toMatchObject(target.startReports);
      const { amount_nano: amount, hold_nano: hold, output_tokens: written } = row ?? {};
      // A token is never more than a dozen letters of such a text.
      expect(written).toBeGreaterThanOrEqual(BigInt(Math.ceil(text.length / 12)));
      expect(amount).toBe(target.price(row ?? {}));
      expect(amount).toBeLessThanOrEqual(BigInt(String(hold)));
    });

    test('broken JSON in a stream that goes on all the same', async () => {
      const events = [...midway, '{"type":', ...good.events.slice(8)];
      const { posted, row } = await ask(target, { ...good, events });
      expect(target.endOf(posted.frames)).toMatchObject({ outcome: target.broken });
      expect(row?.amount_nano).toBeGreaterThan(0n);
      expect(row?.amount_nano).toBeLessThanOrEqual(target.charge);
    });

    test('an error event of the kind that blames the request names its reason', async () => {
      const { posted } = await ask(target, { ...good, events: [...midway, target.refused] });
      const { outcome, error } = target.endOf(posted.frames);
      expect(outcome).toBe(target.broken);
      expect(error.message).toContain('prompt is too long');
    });
  });

  test('an error after the start and before any output ends the stream, and is free', async () => {
    const events = [...good.events.slice(0, 1), target.overloaded];
    const { posted, row } = await ask(target, { ...good, events });
    expect(posted.status).toBe(200);
    expect(target.endOf(posted.frames)).toMatchObject({ text: '', outcome: target.broken });
    expect(row).toMatchObject({ amount_nano: 0n });
  });

  describe('it survives, and is charged what the provider reports', () => {
    test.each<[string, ScriptedAnswer]>([
      ['CRLF', { ...good, crlf: true }],
      ['an end that comes twice', { ...good, events: [...good.events, ...good.events.slice(-3)] }],
      ['a connection that breaks after the end', { ...good, cutAfter: good.events.length }],
      ['silence after the end', { ...good, stall: true }],
      ['a repeated start', { ...good, events: [...third.slice(0, 1), ...good.events] }],
      ...[1, 2, 3, 5, 7].map((bytes): [string, ScriptedAnswer] => [
        `frames cut every ${bytes} bytes`,
        { ...good, chunkBytes: bytes, crlf: bytes === 3 },
      ]),
      ...(['gzip', 'deflate', 'br', 'zstd'] as const).map((encoding): [string, ScriptedAnswer] => [
        `${encoding}, cut`,
        { ...good, encoding, chunkBytes: 11 },
      ]),
    ])('%s', async (_name, script) => {
      const { posted, row } = await ask(target, script);
      expect(target.endOf(posted.frames)).toMatchObject({ text: TEXT, outcome: target.good });
      expect(row).toMatchObject({
        kind: 'charge',
        amount_nano: target.charge,
        estimated: false,
        status: 'completed',
      });
    });

    test.each(['gzip', 'deflate', 'br', 'zstd'] as const)(
      '%s of a whole answer',
      async (encoding) => {
        const { posted, row } = await ask(target, { ...goodAnswer(target), encoding }, false);
        expect(posted.status).toBe(200);
        expect(JSON.stringify(posted.json)).toContain(TEXT);
        expect(row).toMatchObject({ kind: 'charge', amount_nano: target.charge });
      },
    );
  });

  test.each([
    ['broken JSON', { json: '{"id":' }],
    ['an HTML page', { json: '<html>secret</html>' }],
    ['an error under a status of 200', { json: target.overloaded }],
    ['another thing than an answer', { json: { hello: 'secret' } }],
    ['a connection that breaks', { disconnect: true } as const],
  ])('a whole answer that is %s is a status, and free', async (_name, script: ScriptedAnswer) => {
    const { posted, row } = await ask(target, script, false);
    expectStatus(posted, 500, NEUTRAL);
    expect(row).toMatchObject(FREE);
  });

  test.each([
    ['in mid-stream', { ...good, delayMs: 10 }, 1],
    ['before the first byte', { ...good, delayMs: 30 }, 0],
  ])(
    'a client that hangs up %s changes nothing: the charge is what the provider reports',
    async (_name, script, reads) => {
      const { apiKey, accountId } = await scripted.newKey();
      const before = scripted.upstream.requests.length;
      scripted.upstream.enqueue(script);
      const gone = new AbortController();
      const asking = fetch(scripted.gateway.url + target.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: target.model, ...target.content, stream: true }),
        signal: gone.signal,
      });
      if (reads > 0) await (await asking).body?.getReader().read();
      await eventually(async () => expect(scripted.upstream.requests.length).toBe(before + 1));
      gone.abort();
      await asking.catch(() => undefined);
      const [row] = await scripted.settled(accountId, 1);
      expect(row).toMatchObject({
        kind: 'charge',
        amount_nano: target.charge,
        status: 'completed',
      });
    },
  );

  test.each([{ stream: false }, { stream: true }])(
    'no usage from the provider: counted, and flagged so (streamed: $stream)',
    async ({ stream }) => {
      const script = stream ? withoutUsage(good) : withoutUsage(goodAnswer(target));
      const { posted, row } = await ask(target, script, stream);
      expect(posted.status).toBe(200);
      if (stream) expect(target.endOf(posted.frames).text).toBe(TEXT);
      expect(row).toMatchObject({ kind: 'charge', estimated: true });
      // 68 letters in several scripts: not fewer tokens than words, not more than bytes.
      expect(row?.output_tokens).toBeGreaterThanOrEqual(13n);
      expect(row?.output_tokens).toBeLessThanOrEqual(BigInt(Buffer.byteLength(TEXT)));
      expect(row?.amount_nano).toBe(target.price(row ?? {}));
    },
  );

  test('a report above the hold is charged up to the hold, and the rest is recorded', async () => {
    const { apiKey, accountId } = await scripted.newKey();
    scripted.upstream.enqueue(good);
    const posted = await post({
      url: scripted.gateway.url + target.path,
      apiKey,
      body: { model: target.model, ...target.content, ...target.cap(16), stream: true },
    });
    expect(target.endOf(posted.frames).text).toBe(TEXT);
    const [row] = await scripted.settled(accountId, 1);
    const { amount_nano: amount, hold_nano: hold, uncollected_nano: rest } = row ?? {};
    expect(amount).toBe(hold);
    expect(BigInt(String(amount)) + BigInt(String(rest))).toBe(target.charge);
  });
});

/** The same answer, of a provider that reports no usage anywhere. */
function withoutUsage<Script extends ScriptedAnswer>(script: Script): Script {
  return JSON.parse(JSON.stringify(script, (key, value) => (key === 'usage' ? undefined : value)));
}
