import { MONTHLY, type MonthlyCost } from './per-month.ts';
import {
  costPerMillion,
  EDGE_COST_PER_MILLION,
  transactionsPerMillion,
  WRITE_UNITS,
  WRITE_UNITS_PER_MILLION,
} from './per-request.ts';

const SECONDS = [1, 3, 10, 30];
const MEMORIES = [256, 512, 1024];

const dollars = (amount: number) => amount.toFixed(2);

/** The page `docs/cost.md`, computed. */
export function costPage(): string {
  return `# What a deployment costs

This page is computed: \`npm run cost\` writes it, and a test fails when it is stale. Prices are list
prices of us-east-1 in US dollars; the providers' own prices come on top. The numbers and their
sources stand in \`infra/aws/cost/\`.

## A million requests

A request without spend limits on its key: ${WRITE_UNITS.withoutLimits} write units, counted on the wire by
\`test/end-to-end/money-counts.test.ts\`; 512 MB of memory; an answer of 30 KB.

${durationTable()}

Time is what costs: Lambda is paid while it waits for the provider. Memory counts in proportion
(total for a million requests of 10 seconds):

${memoryTable()}

A key with both spend limits takes ${WRITE_UNITS.withBothLimits} write units, which adds ${dollars((WRITE_UNITS.withBothLimits - WRITE_UNITS.withoutLimits) * WRITE_UNITS_PER_MILLION)}. The
same writes as transactions would cost ${dollars(transactionsPerMillion(WRITE_UNITS.withBothLimits))} in write units in place of ${dollars(transactionsPerMillion(WRITE_UNITS.withBothLimits) / 2)}. Requests through
the edge add ${dollars(EDGE_COST_PER_MILLION)} for a million.

## A month without a request

${monthlyTable()}

Storage of the ledger is 0.25 a GB-month, and 0.20 more for its point-in-time recovery: a million
requests are about one GB.
`;
}

function durationTable(): string {
  const rows = SECONDS.map((seconds) => {
    const cost = costPerMillion({ seconds, memory: 512, writeUnits: WRITE_UNITS.withoutLimits });
    const { compute, database, logs, traffic, total } = cost;
    return [`${seconds} s`, ...[compute, database, logs, traffic, total].map(dollars)];
  });
  return table(['Duration', 'Lambda', 'DynamoDB', 'Logs', 'Traffic', 'Total'], rows);
}

function memoryTable(): string {
  const rows = MEMORIES.map((memory) => {
    const cost = costPerMillion({ seconds: 10, memory, writeUnits: WRITE_UNITS.withoutLimits });
    return [`${memory} MB`, dollars(cost.compute), dollars(cost.total)];
  });
  return table(['Memory', 'Lambda', 'Total'], rows);
}

function monthlyTable(): string {
  const rows = MONTHLY.map(({ what, amount, when }: MonthlyCost) => [what, dollars(amount), when]);
  return table(['What', 'A month', 'When'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
