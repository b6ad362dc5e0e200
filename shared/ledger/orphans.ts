/**
 * Amounts that are open and that no hold record leads to: left by a process that died within its one
 * round trip, or by a record that never arrived while a reservation did. Such a hold was never
 * dispatched, for that takes a confirmed record. Each sweep looks through the accounts on which a
 * request has seen one, and through the next few of all.
 */
import { continueInBackground, type LedgerContext } from './context.ts';
import { readHoldRecord } from './hold-record.ts';
import { queryAll, readItem, sendRepeatedly } from './request.ts';
import { longId, mintedAtMs, shortMintedAtMs } from './request-id.ts';
import { numbersOf, textOf } from './store.ts';
import { readStripes } from './stripes.ts';
import {
  ACCOUNTS_PARTITION,
  accountKey,
  accountKeysPartition,
  FIRST_STRIPE,
  HOLD_LIFETIME_MS,
  holdKey,
  keyStateKey,
  MINUTE_MS,
  ORPHAN_CURSOR_KEY,
  SEEN_ORPHANS_PARTITION,
  seenOrphansKey,
} from './tables.ts';
import type { OpenHold } from './types.ts';

const ACCOUNTS_A_SWEEP = 20;
/** The sweep by hold records comes first: a record knows more. */
const AFTER_EXPIRY_MS = 5 * MINUTE_MS;
/** The next sweep looks at an account that was named: until then it need not be named again. */
const NAMED_AGAIN_MS = 2 * MINUTE_MS;

/**
 * Told of the open holds that a write or a refusal has shown: an ID beyond its lifetime names its
 * account to the next sweep, in the background, once in a while. By short ID.
 */
export function noticeOrphans(
  context: LedgerContext,
  accountId: string,
  holds: ReadonlyMap<string, bigint>,
): void {
  const nowMs = context.now();
  if (![...holds.keys()].some((short) => isOrphaned(shortMintedAtMs(short), nowMs))) return;
  const { namedOrphans } = context.memory;
  const named = namedOrphans.get(accountId);
  const monotonicMs = context.monotonicNow();
  if (named && monotonicMs < named.untilMs) return;
  namedOrphans.set(accountId, { untilMs: monotonicMs + NAMED_AGAIN_MS });
  const table = context.tables.gateway;
  const item = { ...seenOrphansKey(accountId) };
  const put = { operation: 'put', table, item, ifAbsent: false } as const;
  continueInBackground(context, sendRepeatedly(context, put));
}

function isOrphaned(mintedMs: number, atMs: number): boolean {
  return atMs >= mintedMs + HOLD_LIFETIME_MS + AFTER_EXPIRY_MS;
}

/** Holds of the accounts to look at that are open long after their lifetime. Throws StoreFailure. */
export async function findOrphans(context: LedgerContext, atMs: number): Promise<OpenHold[]> {
  const named = await takeNamedAccounts(context);
  const accountIds = [...new Set([...named, ...(await nextAccounts(context))])];
  const found = accountIds.map(async (accountId) => {
    const open = await openHoldsOf(context, accountId);
    const due = open.filter(({ requestId }) => isOrphaned(mintedAtMs(requestId), atMs));
    return Promise.all(due.map((hold) => asRecorded(context, hold)));
  });
  return (await Promise.all(found)).flat();
}

/** The accounts that requests have named. What a crash loses of them the walk comes to as well. */
async function takeNamedAccounts(context: LedgerContext): Promise<string[]> {
  const { gateway: table } = context.tables;
  const items = await queryAll(context, { table, pk: SEEN_ORPHANS_PARTITION });
  const accountIds = items.map((item) => textOf(item, 'sk'));
  for (const accountId of accountIds) {
    const key = seenOrphansKey(accountId);
    await sendRepeatedly(context, { operation: 'delete', table, key });
  }
  return accountIds;
}

/** The accounts that this sweep looks at; the next one goes on behind them. */
async function nextAccounts(context: LedgerContext): Promise<string[]> {
  const { gateway: table } = context.tables;
  const cursor = await readItem(context, table, ORPHAN_CURSOR_KEY);
  const after = cursor && textOf(cursor, 'account');
  const page = await sendRepeatedly(context, {
    operation: 'query',
    table,
    pk: ACCOUNTS_PARTITION,
    ...(after ? { after: accountKey(after) } : {}),
  });
  const items = page.outcome === 'done' ? (page.items ?? []) : [];
  const accountIds = items.slice(0, ACCOUNTS_A_SWEEP).map((item) => textOf(item, 'sk'));
  const more = items.length > ACCOUNTS_A_SWEEP || (page.outcome === 'done' && page.next);
  const account = (more && accountIds.at(-1)) || '';
  const item = { ...ORPHAN_CURSOR_KEY, account };
  await sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: false });
  return accountIds;
}

/** Every hold that is open on the account's balance or on one of its keys. */
async function openHoldsOf(context: LedgerContext, accountId: string): Promise<OpenHold[]> {
  const { gateway: table } = context.tables;
  const holds = new Map<string, OpenHold>();
  for (const stripe of await readStripes(context, accountId)) {
    for (const [short, amount] of stripe.holds) {
      holds.set(short, orphan(accountId, short, amount, { stripe: stripe.number }));
    }
  }
  for (const entry of await queryAll(context, { table, pk: accountKeysPartition(accountId) })) {
    const keyId = textOf(entry, 'sk');
    const key = await readItem(context, table, keyStateKey(keyId));
    for (const [short, amount] of key ? numbersOf(key, 'holds') : []) {
      const stripe = holds.get(short)?.stripe ?? FIRST_STRIPE;
      holds.set(short, orphan(accountId, short, amount, { stripe, keyId }));
    }
  }
  return [...holds.values()];
}

/**
 * What is known of a hold without its record. Which period it counts in is not, so its refund to a
 * recurring limit is forgone: the limit may end up tighter than it was, never looser.
 */
function orphan(
  accountId: string,
  short: string,
  amount: bigint,
  { stripe, keyId }: { readonly stripe: number; readonly keyId?: string },
): OpenHold {
  return {
    requestId: longId(short),
    accountId,
    keyId: keyId ?? '',
    stripe,
    amount,
    period: undefined,
    heldByKey: keyId !== undefined,
  };
}

async function asRecorded(context: LedgerContext, hold: OpenHold): Promise<OpenHold> {
  const record = await readItem(context, context.tables.gateway, holdKey(hold.requestId));
  return record ? readHoldRecord(record).hold : hold;
}
