import { listAccounts } from './accounts.ts';
import type { LedgerContext } from './context.ts';
import { effectOnBalance, effectOnStripe } from './entry.ts';
import { listKeys, showKey } from './key-admin.ts';
import type { KeyState } from './key-state.ts';
import { listEntries } from './list-entries.ts';
import { longId, shortId } from './request-id.ts';
import { type Item, optionalNumber, optionalText } from './store.ts';
import { readStripes, type Stripe } from './stripes.ts';
import { holdExpiryMs, MINUTE_MS } from './tables.ts';
import { keyDifferences, type RoomDifference } from './verify-key.ts';

interface LedgerDifference {
  readonly accountId: string;
  /**
   * `balance`: available and held do not add up to the applied rows. `negative`: available is below
   * nothing. `stale-hold`: a hold or a transfer open long after its lifetime. `above-hold`: a row charges more than its
   * hold. `sequence`: a row is missing under a number that was applied. `key-lifetime` and
   * `key-recurring`: what remains of a key's limit does not agree with the rows.
   */
  readonly problem:
    | 'balance'
    | 'negative'
    | 'stale-hold'
    | 'above-hold'
    | 'sequence'
    | RoomDifference['problem'];
  /** What the ledger says, in nano-dollars or as a count. */
  readonly expected: bigint;
  readonly found: bigint;
  readonly requestId?: string;
  readonly keyId?: string;
  /** Where the balance has several: the stripe that differs. */
  readonly stripe?: number;
}

export interface VerifyReport {
  readonly accounts: number;
  readonly entries: number;
  readonly differences: readonly LedgerDifference[];
}

/** An account that is in use changes between two reads: what differs is looked at again. */
const LOOKS = 8;
const PAUSE_MS = 50;
/** The sweep walks the last hour again; what is open for longer is nobody's any more. */
const STALE_AFTER_MS = 61 * MINUTE_MS;

/**
 * Recomputes every balance, stripe by stripe: `available + open holds + what is set aside to leave =
 * what the applied rows gave and took`. A request's row is applied once its ID is no longer open, a
 * transfer's on each side likewise, a sequenced one once its number is reached. And what remains of
 * each key's limits. For every account, or for one. Throws Refusal where there is no such account,
 * StoreFailure.
 */
export async function verifyLedger(
  context: LedgerContext,
  accountId?: string,
): Promise<VerifyReport> {
  const accounts = accountId === undefined ? await listAccounts(context) : [{ accountId }];
  const differences: LedgerDifference[] = [];
  let entries = 0;
  for (const account of accounts) {
    const verified = await verifyAccount(context, account.accountId);
    entries += verified.entries;
    differences.push(...verified.differences);
  }
  return { accounts: accounts.length, entries, differences };
}

async function verifyAccount(context: LedgerContext, accountId: string) {
  for (let looks = 1; ; looks += 1) {
    const before = await readSnapshot(context, accountId);
    const rows = await listEntries(context, accountId);
    const differences = [
      ...before.stripes.flatMap((stripe) => {
        const named = before.stripes.length > 1 ? { stripe: stripe.number } : {};
        const found = compare(accountId, stripe, rows, context.now());
        return found.map((difference) => ({ ...difference, ...named }));
      }),
      ...rows.flatMap((row) => aboveHold(accountId, row)),
      ...before.keys.flatMap((key) =>
        keyDifferences(key, rows).map((difference) => ({ accountId, ...difference })),
      ),
    ];
    if (differences.length === 0 || looks === LOOKS) return { entries: rows.length, differences };
    if (isSame(before, await readSnapshot(context, accountId))) {
      return { entries: rows.length, differences };
    }
    await context.wait(PAUSE_MS * looks);
  }
}

/** An account and its keys as they stand: read before the rows, so that no row is later than its hold. */
interface Snapshot {
  readonly stripes: readonly Stripe[];
  readonly keys: readonly KeyState[];
}

async function readSnapshot(context: LedgerContext, accountId: string): Promise<Snapshot> {
  const stripes = await readStripes(context, accountId);
  const keys: KeyState[] = [];
  for (const { keyId } of await listKeys(context, accountId)) {
    keys.push(await showKey(context, keyId));
  }
  return { stripes, keys };
}

function isSame(one: Snapshot, other: Snapshot): boolean {
  return (
    one.stripes.length === other.stripes.length &&
    one.stripes.every((stripe, number) => isSameStripe(stripe, other.stripes[number])) &&
    one.keys.length === other.keys.length &&
    one.keys.every((key, number) => isSameKey(key, other.keys[number]))
  );
}

function isSameStripe(one: Stripe, other: Stripe | undefined): boolean {
  return (
    other !== undefined &&
    one.available === other.available &&
    one.sequence === other.sequence &&
    hasSameIds(one.holds, other.holds) &&
    hasSameIds(one.transfers, other.transfers)
  );
}

function isSameKey(one: KeyState, other: KeyState | undefined): boolean {
  return (
    other !== undefined &&
    one.record.version === other.record.version &&
    one.tat === other.tat &&
    one.lifetimeRoom === other.lifetimeRoom &&
    one.periodRoom === other.periodRoom &&
    hasSameIds(one.holds, other.holds)
  );
}

function hasSameIds(one: ReadonlyMap<string, bigint>, other: ReadonlyMap<string, bigint>): boolean {
  return one.size === other.size && [...one.keys()].every((id) => other.has(id));
}

/** Holds an account's rows against one stripe of its balance. Pure. */
function compare(
  accountId: string,
  stripe: Stripe,
  rows: readonly Item[],
  nowMs: number,
): LedgerDifference[] {
  const { number, available, sequence } = stripe;
  const own = rows.filter((row) => touches(row, BigInt(number)));
  const applied = own.filter((row) => isApplied(row, stripe));
  const expected = applied.reduce((sum, row) => sum + effectOnStripe(row, number), 0n);
  const open = [...stripe.holds, ...stripe.transfers];
  // What a transfer announces has not come yet.
  const reserved = open.reduce((sum, [, amount]) => (amount > 0n ? sum + amount : sum), 0n);
  const found = available + reserved;
  const sequenced = BigInt(applied.filter((row) => row.sequence !== undefined).length);
  const stale = open
    .map(([short, amount]) => [longId(short), amount] as const)
    .filter(([id]) => nowMs > holdExpiryMs(id) + STALE_AFTER_MS);
  return [
    ...(expected === found ? [] : [{ accountId, problem: 'balance', expected, found } as const]),
    ...(available >= 0n
      ? []
      : [{ accountId, problem: 'negative', expected: 0n, found: available } as const]),
    ...(sequenced === sequence
      ? []
      : [{ accountId, problem: 'sequence', expected: sequence, found: sequenced } as const]),
    ...stale.map(
      ([requestId, amount]) =>
        ({ accountId, problem: 'stale-hold', expected: 0n, found: amount, requestId }) as const,
    ),
  ];
}

function touches(row: Item, stripe: bigint): boolean {
  return row.stripe === stripe || row.to_stripe === stripe;
}

/** Whether a row has done to a stripe what it does to it. */
function isApplied(row: Item, stripe: Stripe): boolean {
  const sequence = optionalNumber(row, 'sequence');
  if (sequence !== undefined) return sequence <= stripe.sequence;
  const transferId = optionalText(row, 'transfer_id');
  if (transferId !== undefined) return !stripe.transfers.has(shortId(transferId));
  return !stripe.holds.has(shortId(optionalText(row, 'request_id') ?? ''));
}

function aboveHold(accountId: string, row: Item): LedgerDifference[] {
  const hold = optionalNumber(row, 'hold_nano');
  const taken = -effectOnBalance(row);
  if (hold === undefined || taken <= hold) return [];
  const requestId = optionalText(row, 'request_id') ?? '';
  return [{ accountId, problem: 'above-hold', expected: hold, found: taken, requestId }];
}
