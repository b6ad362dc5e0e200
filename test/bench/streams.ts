import type { ChunkCost } from './chunk-cost-process.ts';
import type { CrowdJob, CrowdResult } from './crowd-client-process.ts';
import type { CrowdPlan } from './crowd-upstream-process.ts';
import { CREDIT, startCannedDatabase, startDatabase, startGatewayProcess } from './gateways.ts';
import { atMost } from './goals.ts';
import { type BenchProcess, memoryOf, type Own, startProcess, withOwned } from './processes.ts';
import type { Measurement, Section } from './section.ts';
import { median, rounded } from './statistics.ts';

const COST_LIMIT = 2;
const LATE_LIMIT = 2;
const FULL = { rounds: 40, crowd: { streams: 1_000, chunks: 100, everyMs: 20 }, crowdRounds: 3 };
const QUICK = { rounds: 8, crowd: { streams: 200, chunks: 25, everyMs: 20 }, crowdRounds: 1 };
const KILOBYTE = 1_000;

interface Crowd {
  readonly through: 'bare proxy' | 'tollgate';
  readonly result: CrowdResult;
  /** What the process grew by at its peak, for each stream, in bytes. */
  readonly bytesPerStream: number;
  /** CPU time of the process, in microseconds a chunk. */
  readonly cpuUsPerChunk: number;
}

/** What a stream's chunks cost, one by one and when a thousand streams run at once. */
export const streams: Measurement = {
  name: 'streams',
  title: 'Streams',
  measure: async ({ quick, progress }) => {
    const size = quick ? QUICK : FULL;
    progress('CPU time of a chunk');
    const costs = await chunkCosts(size.rounds);
    const crowds: Crowd[] = [];
    for (let round = 1; round <= size.crowdRounds; round += 1) {
      progress(`${size.crowd.streams} streams at once, round ${round} of ${size.crowdRounds}`);
      crowds.push(...(await withOwned((own) => runCrowds(own, size.crowd))));
    }
    return report(costs, crowds, size.crowd);
  },
};

function chunkCosts(rounds: number): Promise<ChunkCost[]> {
  return withOwned(async (own) => {
    const quiet = own(await startProcess(new URL('./chunk-cost-process.ts', import.meta.url)));
    return (await quiet.ask({ rounds })) as ChunkCost[];
  });
}

/** The same crowd through a bare proxy and through a gateway, each fresh. */
async function runCrowds(own: Own, plan: CrowdPlan): Promise<Crowd[]> {
  const start = async (script: string, ...words: string[]) =>
    own(await startProcess(new URL(script, import.meta.url), { words }));
  const upstream = await start('./crowd-upstream-process.ts');
  const upstreamUrl = String(upstream.ready);
  const client = await start('./crowd-client-process.ts');
  const database = own(await startDatabase('memory'));
  const { apiKey } = await database.books.newKey(CREDIT);
  const canned = own(await startCannedDatabase(database));
  const gateway = own(
    await startGatewayProcess({ databaseEndpoint: String(canned.ready), upstreamUrl }),
  );
  const request = {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model: 'gpt-5.6-sol',
      stream: true,
      messages: [{ role: 'user', content: 'Count.' }],
    }),
  };
  const crowd = async (through: Crowd['through'], process: BenchProcess): Promise<Crowd> => {
    const url = `${process.ready}/v1/chat/completions`;
    const ask = async (asked: CrowdPlan) => {
      await upstream.ask(asked);
      return (await client.ask({ ...request, ...asked, url } satisfies CrowdJob)) as CrowdResult;
    };
    // A few streams first: compiling is not what is measured.
    await ask({ streams: 50, chunks: 20, everyMs: 5 });
    const before = memoryOf(process).residentBytes;
    const cpuBefore = await process.cpuMs();
    const result = await ask(plan);
    const cpuMs = (await process.cpuMs()) - cpuBefore;
    const bytesPerStream = (memoryOf(process).peakBytes - before) / plan.streams;
    return { through, result, bytesPerStream, cpuUsPerChunk: (cpuMs * 1_000) / result.chunks };
  };
  const proxy = await start('./proxy-process.ts', upstreamUrl);
  return [await crowd('bare proxy', proxy), await crowd('tollgate', gateway)];
}

/** Every round's figure of one side, by its median. */
function middle(crowds: readonly Crowd[], through: Crowd['through']) {
  const own = crowds.filter((crowd) => crowd.through === through);
  const of = (figure: (crowd: Crowd) => number) => median(own.map(figure));
  return {
    through,
    lost: Math.max(...own.map(({ result }) => result.lost)),
    lateP50: rounded(of(({ result }) => result.lateP50)),
    lateP99: rounded(of(({ result }) => result.lateP99)),
    firstChunkP50: rounded(of(({ result }) => result.firstChunkP50)),
    cpuUsPerChunk: rounded(of(({ cpuUsPerChunk }) => cpuUsPerChunk)),
    kilobytesPerStream: rounded(of(({ bytesPerStream }) => bytesPerStream) / KILOBYTE),
    elapsedMs: Math.round(of(({ result }) => result.elapsedMs)),
  };
}

function report(
  costs: readonly ChunkCost[],
  crowds: readonly Crowd[],
  plan: CrowdPlan,
): Pick<Section, 'tables' | 'figures' | 'goals' | 'notMeasured'> {
  const [proxy, ours] = [middle(crowds, 'bare proxy'), middle(crowds, 'tollgate')];
  const { streams: count, chunks, everyMs } = plan;
  const pairs = costs.map(({ pair, translateUs, parseUs, ratio }) => ({
    pair,
    translateUs: rounded(translateUs),
    parseUs: rounded(parseUs),
    ratio: rounded(ratio),
  }));
  return {
    tables: [
      {
        title: 'CPU time of one chunk, in microseconds',
        columns: ['from and to', 'translated', 'parsed and re-serialised', 'ratio'],
        rows: pairs.map(({ pair, translateUs, parseUs, ratio }) => [
          pair,
          translateUs,
          parseUs,
          ratio,
        ]),
      },
      {
        title: `${count} streams at once, ${chunks} chunks each, one every ${everyMs} ms: milliseconds from the upstream to the client`,
        columns: [
          'through',
          'streams not whole',
          'late p50',
          'late p99',
          'first chunk p50',
          'CPU µs per chunk',
          'kB per stream',
          'took ms',
        ],
        rows: [proxy, ours].map((side) => Object.values(side)),
      },
    ],
    figures: { plan: { ...plan }, pairs, crowd: [proxy, ours] },
    goals: [
      ...costs.map(({ pair, ratio }) =>
        atMost(`CPU of a chunk, ${pair}, over parsing and re-serialising`, COST_LIMIT, ratio),
      ),
      atMost(`streams of ${count} that are not whole`, 0, ours.lost),
      atMost('p99 of late chunks, over a bare proxy’s', LATE_LIMIT, ours.lateP99 / proxy.lateP99),
    ],
    notMeasured: [],
  };
}
