import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { post } from '../support/recording-stream.ts';
import { goodStream, TARGETS, TEXT } from '../support/recording-targets.ts';
import type { ReceivedRequest, ScriptedAnswer } from '../support/scripted-upstream.ts';

/** A little longer than the silence after which the gateway shows that it still is there. */
const STALL_MS = 16_000;

let scripted: ScriptedGateway;

beforeAll(async () => {
  scripted = await startScriptedGateway({ UPSTREAM_STALL_MS: String(STALL_MS) });
});

afterAll(() => scripted?.stop());

test('a stream that falls silent carries a comment after 15 s, then ends at the deadline', async () => {
  // All at once, for the time that they take; each takes the script that fits its request.
  const fitting = ({ path }: ReceivedRequest): ScriptedAnswer => {
    const target = TARGETS.find(({ upstreamPath }) => upstreamPath === path);
    if (!target) throw new TypeError(`nothing fits ${path}`);
    const good = goodStream(target);
    return { ...good, events: good.events.slice(0, 8), stall: true };
  };
  scripted.upstream.enqueue(...TARGETS.map(() => fitting));
  await Promise.all(
    TARGETS.map(async (target) => {
      const { apiKey, accountId } = await scripted.newKey();
      const posted = await post({
        url: scripted.gateway.url + target.path,
        apiKey,
        body: { model: target.model, ...target.content, stream: true },
      });
      expect(posted.comments).toEqual([': keep-alive']);
      const { text, outcome } = target.endOf(posted.frames);
      expect(outcome).toBe(target.broken);
      expect(TEXT.startsWith(text) && text.length > 4).toBe(true);
      const [row] = await scripted.settled(accountId, 1);
      expect(row).toMatchObject({ kind: 'charge', status: 'interrupted', estimated: true });
    }),
  );
});
