import { listAccounts, readAccountBalance } from '../../shared/ledger/accounts.ts';
import type { LedgerContext } from '../../shared/ledger/context.ts';
import { listKeys } from '../../shared/ledger/key-admin.ts';
import { listEntries } from '../../shared/ledger/list-entries.ts';
import { mintedAtMs } from '../../shared/ledger/request-id.ts';
import { formatUsd } from '../../shared/pricing/money.ts';
import { entryJson, type Json } from '../operator/output.ts';

/** How far back the charts look. */
const WINDOW_MS = 60 * 60_000;
const MOST_ENTRIES = 1_000;
/** A row comes after its request was placed, at most this much later while the request runs. */
const LONGEST_REQUEST_MS = 15 * 60_000;

/** What the console shows of the database: balances, open holds, key names, the last hour's entries. */
export async function readActivity(context: LedgerContext): Promise<Json> {
  const now = context.now();
  const accounts = await Promise.all(
    (await listAccounts(context)).map(async ({ accountId, name }) => {
      const { available, held, holds } = await readAccountBalance(context, accountId);
      const keys = await listKeys(context, accountId);
      const range = { fromMs: now - WINDOW_MS, toMs: now };
      const entries = await listEntries(context, accountId, range);
      return {
        accountId,
        name,
        availableUsd: formatUsd(available),
        heldUsd: formatUsd(held),
        openHolds: holds.size,
        keys: keys.map((key) => ({ keyId: key.keyId, name: key.name })),
        entries: entries.slice(-MOST_ENTRIES).map(entryJson),
      };
    }),
  );
  return { now, windowMs: WINDOW_MS, accounts };
}

/** The ledger entry of a request, once it is settled. */
export async function readEntry(
  context: LedgerContext,
  requestId: string,
): Promise<Json | undefined> {
  const fromMs = mintedAtMs(requestId);
  if (!Number.isFinite(fromMs)) return undefined;
  const range = { fromMs, toMs: fromMs + LONGEST_REQUEST_MS };
  for (const { accountId } of await listAccounts(context)) {
    const entries = await listEntries(context, accountId, range);
    const row = entries.find(({ request_id }) => request_id === requestId);
    if (row !== undefined) return entryJson(row);
  }
  return undefined;
}
