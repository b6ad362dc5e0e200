import { createHash } from 'node:crypto';
import { listAccounts, readAccountBalance } from '../../shared/ledger/accounts.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import type { VerifyTotals } from '../../shared/telemetry/verify-log.ts';

/** Accounts looked at side by side: each has its whole ledger in memory while it is. */
const AT_ONCE = 8;

export interface VerifyShare {
  /** This run's share of the accounts: part 0 of 1 is all of them. */
  readonly part: number;
  readonly of: number;
  /** Milliseconds that no further account may be begun after. */
  readonly remainingMs: () => number;
}

/**
 * Verifies every account of a share, a few at a time. An account that cannot be read, or that no
 * time was left for, is counted, never passed over. Throws a RangeError for a share that cannot be,
 * and StoreFailure where not even the accounts can be listed.
 */
export async function verifyAccounts(ledger: Ledger, share: VerifyShare): Promise<VerifyTotals> {
  if (!(share.part >= 0 && share.part < share.of)) {
    throw new RangeError(`part ${share.part} of ${share.of} is no share of the accounts`);
  }
  const ids = (await listAccounts(ledger.context))
    .map(({ accountId }) => accountId)
    .filter((accountId) => partOf(accountId, share.of) === share.part);
  const totals = newTotals();
  await Promise.all(Array.from({ length: AT_ONCE }, () => walk(ledger, ids, share, totals)));
  return { ...totals, unverified: totals.unverified + ids.length };
}

/** By the ID alone, so that runs side by side leave no account between them. */
function partOf(accountId: string, of: number): number {
  return createHash('sha256').update(accountId).digest().readUInt32BE() % of;
}

type RunningTotals = { -readonly [Name in keyof VerifyTotals]: VerifyTotals[Name] };

function newTotals(): RunningTotals {
  const counts = { accounts: 0, entries: 0, unverified: 0, holdsOpen: 0, holdsOpenAmount: 0n };
  return { ...counts, differences: [], failures: [] };
}

/** Takes accounts from the list until it is empty or the time is up; what is left there was not verified. */
async function walk(
  ledger: Ledger,
  ids: string[],
  { remainingMs }: VerifyShare,
  totals: RunningTotals,
): Promise<void> {
  while (remainingMs() > 0) {
    const accountId = ids.pop();
    if (accountId === undefined) return;
    try {
      const { entries, differences } = await ledger.verifyLedger(accountId);
      const { holds, held } = await readAccountBalance(ledger.context, accountId);
      totals.accounts += 1;
      totals.entries += entries;
      totals.differences = [...totals.differences, ...differences];
      totals.holdsOpen += holds.size;
      totals.holdsOpenAmount += held;
    } catch (error) {
      totals.unverified += 1;
      totals.failures = [...totals.failures, { accountId, error }];
    }
  }
}
