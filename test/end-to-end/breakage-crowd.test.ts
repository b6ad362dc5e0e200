import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedGateway, startScriptedGateway } from '../support/recording-gateway.ts';
import { post } from '../support/recording-stream.ts';
import { COUNTED, TARGETS } from '../support/recording-targets.ts';
import type { ReceivedRequest, ScriptedAnswer } from '../support/scripted-upstream.ts';

const STREAMS = 40;
const BREAKS_EVERY = 5;

let scripted: ScriptedGateway;

beforeAll(async () => {
  scripted = await startScriptedGateway();
});

afterAll(() => scripted?.stop());

function textOf(turn: number): string {
  return `Strom ${turn}: ${`ü${turn}🎉`.repeat(6)} Ende ${turn}.`;
}

/** Says the text that the request's number asks for; every so many streams breaks off. */
function answerByNumber({ path, text }: ReceivedRequest): ScriptedAnswer {
  const turn = Number(/number (\d+)/.exec(text)?.[1]);
  const target = TARGETS.find(({ upstreamPath }) => upstreamPath === path);
  if (!target) throw new TypeError(`nothing fits ${path}`);
  const said = { text: textOf(turn) };
  const answer = target.answer({ turn: said, counted: COUNTED, stream: true });
  const breaks = turn % BREAKS_EVERY === 0 ? { cutAfter: 9 } : {};
  return { ...answer, ...breaks, delayMs: 1 + (turn % 4), chunkBytes: 5 + turn };
}

test('many streams at once, some of which break, stay apart in text and in money', async () => {
  const { apiKey, accountId } = await scripted.newKey();
  scripted.upstream.enqueue(...Array.from({ length: STREAMS }, () => answerByNumber));
  const charges = await Promise.all(
    Array.from({ length: STREAMS }, async (_, turn) => {
      const target = TARGETS[turn % TARGETS.length];
      if (!target) throw new TypeError('there are targets');
      const content = JSON.parse(
        JSON.stringify(target.content).replace('Hello?', `number ${turn}`),
      );
      const { frames } = await post({
        url: scripted.gateway.url + target.path,
        apiKey,
        body: { model: target.model, ...content, stream: true },
      });
      const { text, outcome } = target.endOf(frames);
      const breaks = turn % BREAKS_EVERY === 0;
      expect(outcome).toBe(breaks ? target.broken : target.good);
      if (breaks) expect(textOf(turn).startsWith(text)).toBe(true);
      else expect(text).toBe(textOf(turn));
      return breaks ? [] : [target.charge];
    }),
  );
  const rows = await scripted.settled(accountId, STREAMS);
  const completed = rows.filter(({ status }) => status === 'completed');
  const ascending = (one: bigint, other: bigint) => Number(one - other);
  expect(completed.map((row) => BigInt(String(row.amount_nano))).sort(ascending)).toEqual(
    charges.flat().sort(ascending),
  );
  expect(rows.length - completed.length).toBe(STREAMS / BREAKS_EVERY);
});
