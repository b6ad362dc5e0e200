import type { VerifyReport } from '../ledger/verify.ts';
import { formatUsd } from '../pricing/money.ts';
import { embedMetrics, type MetricsTarget } from './embedded-metrics.ts';

/** What a daily walk over the accounts found. Amounts are nano-dollars. */
export interface VerifyTotals extends VerifyReport {
  /** Accounts that could not be read, or that no time was left for. */
  readonly unverified: number;
  readonly failures: readonly { readonly accountId: string; readonly error: unknown }[];
  /** Holds open on the balances, each read when its account was verified. */
  readonly holdsOpen: number;
  readonly holdsOpenAmount: bigint;
}

type Difference = VerifyReport['differences'][number];

/** Differences and failures that are logged one by one; the counts tell of the rest. */
const MOST_LINES = 100;

/** One walk as lines of the structured log: what is off or could not be read, then the totals. */
export function verifyLines(totals: VerifyTotals, target?: MetricsTarget): string[] {
  const { differences, failures } = totals;
  const lines = [...differences.map(differenceEntry), ...failures.map(failureEntry)];
  const summary = embedMetrics(totalsEntry(totals), [{ values: verifyValues(totals) }], target);
  return [...lines.slice(0, MOST_LINES), summary].map((entry) => JSON.stringify(entry));
}

function differenceEntry(difference: Difference) {
  return { level: 'error', event: 'ledger_difference', ...differenceFields(difference) };
}

/** A difference for people: amounts in US dollars, sequence numbers as they are. */
export function differenceFields({ expected, found, ...difference }: Difference) {
  return {
    ...difference,
    ...(difference.problem === 'sequence'
      ? { expected: Number(expected), found: Number(found) }
      : { expectedUsd: formatUsd(expected), foundUsd: formatUsd(found) }),
  };
}

function failureEntry({ accountId, error }: VerifyTotals['failures'][number]) {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { level: 'error', event: 'ledger_account_unverified', accountId, reason };
}

function totalsEntry(totals: VerifyTotals) {
  const { accounts, entries, differences, unverified, holdsOpen, holdsOpenAmount } = totals;
  return {
    level: differences.length > 0 || unverified > 0 ? 'error' : 'info',
    event: 'ledger_verified',
    accounts,
    entries,
    differences: differences.length,
    unverified,
    holdsOpen,
    holdsOpenUsd: formatUsd(holdsOpenAmount),
  };
}

function verifyValues(totals: VerifyTotals) {
  const { accounts, entries, differences, unverified, holdsOpen, holdsOpenAmount } = totals;
  const keyRooms = differences.filter(({ problem }) => problem.startsWith('key-'));
  return {
    LedgerVerified: 1,
    LedgerAccounts: accounts,
    LedgerAccountsUnverified: unverified,
    LedgerEntries: entries,
    LedgerDifferences: differences.length,
    LedgerBalancesOff: differences.length - keyRooms.length,
    LedgerKeyRoomsOff: keyRooms.length,
    HoldsOpen: holdsOpen,
    HoldsOpenUsd: Number(formatUsd(holdsOpenAmount)),
  };
}
