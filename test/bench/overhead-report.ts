import { atLeast, atMost } from './goals.ts';
import type { Cell, Found } from './overhead.ts';
import type { PeerName } from './peers.ts';
import type { Goal, Section, Table } from './section.ts';
import { rounded } from './statistics.ts';

const GOAL_CONCURRENCY = 10;
const ADDED_SHARE = 0.5;
const RATE_RATIO = 2;
const OURS: PeerName = 'tollgate, canned database';
const THEIRS: PeerName = 'portkey';
const MEGABYTE = 1_000_000;

/** The cells as tables and figures, and the goals where both gateways could be measured. */
export function reportOverhead(
  found: Found,
): Pick<Section, 'tables' | 'figures' | 'goals' | 'notMeasured'> {
  const { cells, peakBytes, notMeasured } = found;
  const scenarios = [...new Set(cells.map(({ scenario }) => scenario))];
  const concurrencies = [...new Set(cells.map(({ concurrency }) => concurrency))];
  const memory = [...peakBytes].map(([peer, bytes]) => ({ peer, peakBytes: bytes }));
  return {
    tables: [
      ...concurrencies.map((concurrency) => tableOf(cells, concurrency)),
      {
        title: 'Peak memory of the gateway’s process over all of it',
        columns: ['peer', 'MB'],
        rows: memory.map(({ peer, peakBytes }) => [peer, Math.round(peakBytes / MEGABYTE)]),
      },
    ],
    figures: { cells: cells.map(roundedCell), memory },
    goals: goalsOf(scenarios, cells),
    notMeasured,
  };
}

function tableOf(cells: readonly Cell[], concurrency: number): Table {
  const rows = cells
    .filter((cell) => cell.concurrency === concurrency)
    .map((cell) => [
      cell.scenario,
      cell.peer,
      rounded(cell.firstByteP50),
      rounded(cell.firstByteP99),
      rounded(cell.totalP50),
      rounded(cell.totalP99),
      Math.round(cell.requestsPerSecond),
      rounded(cell.cpuMsPerRequest),
    ]);
  return {
    title: `${concurrency} at once: times in milliseconds`,
    columns: [
      'request',
      'through',
      'first byte p50',
      'p99',
      'end p50',
      'p99',
      'requests/s',
      'CPU per request',
    ],
    rows,
  };
}

function roundedCell(cell: Cell) {
  return {
    ...cell,
    firstByteP50: rounded(cell.firstByteP50),
    firstByteP99: rounded(cell.firstByteP99),
    totalP50: rounded(cell.totalP50),
    totalP99: rounded(cell.totalP99),
    requestsPerSecond: rounded(cell.requestsPerSecond),
    cpuMsPerRequest: rounded(cell.cpuMsPerRequest),
  };
}

/** Where Portkey serves nothing of a kind, there is nothing to compare: only what both serve has goals. */
function goalsOf(scenarios: readonly string[], cells: readonly Cell[]): Goal[] {
  return scenarios.flatMap((scenario) => {
    const cell = (peer: PeerName) =>
      cells.find(
        (one) =>
          one.scenario === scenario && one.concurrency === GOAL_CONCURRENCY && one.peer === peer,
      );
    const [direct, ours, theirs] = [cell('direct'), cell(OURS), cell(THEIRS)];
    if (!direct || !ours || !theirs) return [];
    const added = (one: Cell) => one.totalP50 - direct.totalP50;
    return [
      atMost(
        `added p50, ${scenario}, as a share of Portkey’s`,
        ADDED_SHARE,
        added(ours) / added(theirs),
      ),
      atLeast(
        `requests a second, ${scenario}, over Portkey’s`,
        RATE_RATIO,
        ours.requestsPerSecond / theirs.requestsPerSecond,
      ),
    ];
  });
}
