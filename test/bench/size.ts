import { gzipSync } from 'node:zlib';
import { type BenchDatabase, CREDIT, startDatabase, startGatewayProcess } from './gateways.ts';
import { atMost } from './goals.ts';
import type { LoadJob, LoadResult } from './load-process.ts';
import { memoryOf, startProcess, withOwned } from './processes.ts';
import type { BenchOptions, Measurement, Section } from './section.ts';
import { median, rounded } from './statistics.ts';

const MEGABYTE = 1_000_000;
const MEGABYTES = [1, 10, 50, 99];
const SMALL = 10;
const LARGE = 99;
const TIME_LIMIT = 12;
const MEMORY_LIMIT = 8;
const ROUNDS = 3;
const MODEL = 'gpt-5.6-sol';
/** A turn of this length, as a long conversation or a pasted file has it. */
const TURN_CHARACTERS = 20_000;
const ENCODINGS = ['plain', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

interface Sized {
  readonly megabytes: number;
  readonly encoding: Encoding;
  readonly totalMs: number;
  readonly peakBytes: number;
}

interface World {
  readonly database: BenchDatabase;
  readonly apiKey: string;
  readonly upstreamUrl: string;
  readonly load: (job: LoadJob) => Promise<LoadResult>;
}

/** Large bodies, each to a gateway that has seen nothing before: time and peak memory. */
export const size: Measurement = {
  name: 'size',
  title: 'Size of the request',
  measure: (options) =>
    withOwned(async (own) => {
      const upstream = own(await startProcess(new URL('./upstream-process.ts', import.meta.url)));
      const database = own(await startDatabase('memory'));
      const { apiKey } = await database.books.newKey(CREDIT);
      const loader = own(await startProcess(new URL('./load-process.ts', import.meta.url)));
      const load = async (job: LoadJob) => (await loader.ask(job)) as LoadResult;
      const world: World = { database, apiKey, upstreamUrl: String(upstream.ready), load };
      return report(await measureAll(world, options));
    }),
};

async function measureAll(world: World, { quick, progress }: BenchOptions): Promise<Sized[]> {
  const found: Sized[] = [];
  for (const encoding of ENCODINGS) {
    for (const megabytes of MEGABYTES) {
      progress(`${megabytes} MB, ${encoding}`);
      const rounds: Sized[] = [];
      for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
        rounds.push(await sendOnce(world, megabytes, encoding));
      }
      found.push({
        megabytes,
        encoding,
        totalMs: median(rounds.map(({ totalMs }) => totalMs)),
        peakBytes: Math.max(...rounds.map(({ peakBytes }) => peakBytes)),
      });
    }
  }
  return found;
}

async function sendOnce(world: World, megabytes: number, encoding: Encoding): Promise<Sized> {
  const { database, apiKey, upstreamUrl, load } = world;
  return withOwned(async (own) => {
    const gateway = own(
      await startGatewayProcess({ databaseEndpoint: database.endpoint, upstreamUrl }),
    );
    const request = {
      url: `${gateway.ready}/v1/chat/completions`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      concurrency: 1,
      requests: 1,
    };
    // The first request of a process opens its connections; it is not what is measured.
    await load({ ...request, body: bodyOf(1_000) });
    const text = bodyOf(megabytes * MEGABYTE);
    const sent =
      encoding === 'plain'
        ? { ...request, body: text }
        : {
            ...request,
            body: gzipSync(text, { level: 1 }),
            headers: { ...request.headers, 'content-encoding': 'gzip' },
          };
    const { statuses, totalMs } = await load(sent);
    if (statuses['200'] !== 1) throw new Error(`${megabytes} MB: ${JSON.stringify(statuses)}`);
    const { peakBytes } = memoryOf(gateway);
    return { megabytes, encoding, totalMs: totalMs[0] ?? Number.NaN, peakBytes };
  });
}

/** A conversation whose JSON takes that many bytes, of prose that repeats with the number of its turn. */
function bodyOf(bytes: number): string {
  const turns: { role: string; content: string }[] = [];
  const frame = (messages: object[]) => JSON.stringify({ model: MODEL, messages });
  const empty = JSON.stringify({ role: 'user', content: '' }).length + 1;
  let left = bytes - frame([]).length;
  for (let turn = 0; left > empty; turn += 1) {
    const content = prose(turn).slice(0, Math.max(1, Math.min(TURN_CHARACTERS, left - empty)));
    turns.push({ role: turn % 2 === 0 ? 'user' : 'assistant', content });
    left -= content.length + empty;
  }
  return frame(turns);
}

function prose(turn: number): string {
  const sentence = `In turn ${turn} nobody spends what was not there: it was held, then settled. `;
  return sentence.repeat(Math.ceil(TURN_CHARACTERS / sentence.length));
}

function report(
  found: readonly Sized[],
): Pick<Section, 'tables' | 'figures' | 'goals' | 'notMeasured'> {
  const rows = found.map(({ megabytes, encoding, totalMs, peakBytes }) => ({
    megabytes,
    encoding,
    totalMs: Math.round(totalMs),
    peakMegabytes: Math.round(peakBytes / MEGABYTE),
    peakOverBody: rounded(peakBytes / (megabytes * MEGABYTE)),
  }));
  const at = (megabytes: number, encoding: Encoding) =>
    found.find((one) => one.megabytes === megabytes && one.encoding === encoding);
  const goals = ENCODINGS.flatMap((encoding) => {
    const [small, large] = [at(SMALL, encoding), at(LARGE, encoding)];
    if (!small || !large) return [];
    return [
      atMost(
        `time at ${LARGE} MB over time at ${SMALL} MB, ${encoding}`,
        TIME_LIMIT,
        large.totalMs / small.totalMs,
      ),
      atMost(
        `peak memory over the body, ${LARGE} MB ${encoding}`,
        MEMORY_LIMIT,
        large.peakBytes / (LARGE * MEGABYTE),
      ),
    ];
  });
  return {
    tables: [
      {
        title:
          'One request to a fresh process; peak memory is all that the process ever had resident',
        columns: ['MB', 'sent', 'ms to the end', 'peak MB', 'peak over body'],
        rows: rows.map((row) => Object.values(row)),
      },
    ],
    figures: { bodies: rows },
    goals,
    notMeasured: found.some(({ peakBytes }) => Number.isNaN(peakBytes))
      ? ['peak memory: this system does not tell it (it is read from /proc)']
      : [],
  };
}
