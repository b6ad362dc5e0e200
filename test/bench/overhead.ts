import type { LoadJob, LoadResult } from './load-process.ts';
import { reportOverhead } from './overhead-report.ts';
import { SCENARIOS, type Scenario } from './overhead-scenarios.ts';
import { type Peer, type PeerName, startPeers } from './peers.ts';
import { memoryOf, startProcess, withOwned } from './processes.ts';
import type { BenchOptions, Measurement } from './section.ts';
import { percentile, sum } from './statistics.ts';

const CONCURRENCIES = [1, 10];
/** Peers take turns in rounds, so that what else the machine does hits all of them alike. */
const FULL = { requests: 2_000, rounds: 8, warmup: 600 };
const QUICK = { requests: 200, rounds: 2, warmup: 60 };

/** What one peer showed in one scenario at one concurrency; times in milliseconds. */
export interface Cell {
  readonly scenario: string;
  readonly concurrency: number;
  readonly peer: PeerName;
  readonly requests: number;
  readonly firstByteP50: number;
  readonly firstByteP99: number;
  readonly totalP50: number;
  readonly totalP99: number;
  readonly requestsPerSecond: number;
  /** Of the gateway's own process; 0 where there is none. */
  readonly cpuMsPerRequest: number;
}

/** Everything that this measurement found. */
export interface Found {
  readonly cells: Cell[];
  /** The most that a peer's process ever had resident, in bytes. */
  readonly peakBytes: Map<PeerName, number>;
  readonly notMeasured: string[];
}

interface Bench {
  readonly peers: readonly Peer[];
  readonly load: (job: LoadJob) => Promise<LoadResult>;
  readonly size: typeof FULL;
  readonly progress: BenchOptions['progress'];
}

interface Turn {
  readonly peer: Peer;
  readonly result: LoadResult;
  readonly cpuMs: number;
}

/** What a request costs through a gateway, beside a direct call and beside Portkey's gateway. */
export const overhead: Measurement = {
  name: 'overhead',
  title: 'Overhead per request',
  measure: ({ quick, progress }) =>
    withOwned(async (own) => {
      const { peers, missing } = await startPeers(own);
      const loader = own(await startProcess(new URL('./load-process.ts', import.meta.url)));
      const bench: Bench = {
        peers,
        load: async (job) => (await loader.ask(job)) as LoadResult,
        size: quick ? QUICK : FULL,
        progress,
      };
      const found: Found = { cells: [], peakBytes: new Map(), notMeasured: missing };
      for (const scenario of SCENARIOS) await measureScenario(bench, scenario, found);
      for (const { name, process } of peers) {
        if (process) found.peakBytes.set(name, memoryOf(process).peakBytes);
      }
      return reportOverhead(found);
    }),
};

async function measureScenario(bench: Bench, scenario: Scenario, found: Found): Promise<void> {
  const able: Peer[] = [];
  for (const peer of bench.peers) {
    const why = await whyUnable(bench, scenario, peer);
    if (why === undefined) able.push(peer);
    else found.notMeasured.push(`${peer.name}, ${scenario.name}: ${why}`);
  }
  for (const concurrency of CONCURRENCIES) {
    bench.progress(`${scenario.name}, ${concurrency} at once`);
    const turns = await takeTurns({ ...bench, peers: able }, scenario, concurrency);
    for (const peer of able) {
      const own = turns.filter((turn) => turn.peer === peer);
      found.cells.push(cellOf(scenario, concurrency, own));
    }
  }
}

/** Warms a peer up, or says why it does not serve the scenario. */
async function whyUnable(
  { load, size }: Bench,
  scenario: Scenario,
  peer: Peer,
): Promise<string | undefined> {
  const request = peer.request(scenario);
  if (!request) return 'it does not offer this route for this family';
  const { url, headers, body } = request;
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 200) return `it answers ${answer.status} ${text.slice(0, 120)}`;
  await load({ ...request, concurrency: 10, requests: size.warmup });
  return undefined;
}

async function takeTurns(
  { peers, load, size }: Bench,
  scenario: Scenario,
  concurrency: number,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  const requests = size.requests / size.rounds;
  for (let round = 0; round < size.rounds; round += 1) {
    // Each round begins with another one: none is always the first after a pause.
    const order = [...peers.slice(round % peers.length), ...peers.slice(0, round % peers.length)];
    for (const peer of order) {
      const request = peer.request(scenario);
      if (!request) continue;
      const before = (await peer.process?.cpuMs()) ?? 0;
      const result = await load({ ...request, concurrency, requests });
      const cpuMs = ((await peer.process?.cpuMs()) ?? 0) - before;
      if (result.statuses['200'] !== requests) {
        throw new Error(`${peer.name} answered ${JSON.stringify(result.statuses)}`);
      }
      turns.push({ peer, result, cpuMs });
    }
  }
  return turns;
}

function cellOf(scenario: Scenario, concurrency: number, turns: readonly Turn[]): Cell {
  const firstByte = turns.flatMap(({ result }) => [...result.firstByteMs]);
  const total = turns.flatMap(({ result }) => [...result.totalMs]);
  const elapsedMs = sum(turns.map(({ result }) => result.elapsedMs));
  const [turn] = turns;
  if (!turn) throw new TypeError('a peer that is able has had its turns');
  return {
    scenario: scenario.name,
    concurrency,
    peer: turn.peer.name,
    requests: total.length,
    firstByteP50: percentile(firstByte, 0.5),
    firstByteP99: percentile(firstByte, 0.99),
    totalP50: percentile(total, 0.5),
    totalP99: percentile(total, 0.99),
    requestsPerSecond: (total.length / elapsedMs) * 1_000,
    cpuMsPerRequest: sum(turns.map(({ cpuMs }) => cpuMs)) / total.length,
  };
}
