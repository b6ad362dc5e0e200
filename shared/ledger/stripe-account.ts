import { type Account, readAccount } from './accounts.ts';
import type { LedgerContext } from './context.ts';
import { listKeys, setKeyStripes } from './key-admin.ts';
import { Refusal } from './once.ts';
import { queryAll, sendRepeatedly } from './request.ts';
import { finishOld, spreadBalance } from './spread.ts';
import { type Item, type ItemKey, StoreFailure, textOf } from './store.ts';
import { readStripes } from './stripes.ts';
import {
  accountKey,
  balanceKey,
  FIRST_STRIPE,
  MINUTE_MS,
  MOST_STRIPES,
  STRIPED_PARTITION,
  stripedKey,
} from './tables.ts';

/**
 * Lays a balance on so many stripes, while requests go on, and spreads it over them. The number only
 * rises: a stripe that was used may be refunded to at any time, so it must be looked at for ever.
 * Repeatable after a crash. Throws Refusal (no such account, a number that is lower or too high),
 * StoreFailure.
 */
export async function stripeAccount(
  context: LedgerContext,
  accountId: string,
  stripes: number,
): Promise<Account> {
  const account = await readAccount(context, accountId);
  if (!Number.isInteger(stripes) || stripes > MOST_STRIPES) {
    throw new Refusal(`a balance has at most ${MOST_STRIPES} stripes`);
  }
  const before = await readStripes(context, accountId);
  if (stripes < before.length) {
    throw new Refusal(`the balance has ${before.length} stripes, and their number only rises`);
  }
  if (stripes === 1) return account;
  // The sweep knows of it first; then every stripe is there before anybody is told the number.
  await put(context, { ...stripedKey(accountId) });
  for (let number = 1; number < stripes; number += 1) {
    const empty = { available: 0n, seq: 0n, holds: {}, transfers: {} };
    await put(context, { ...balanceKey(accountId, number), ...empty });
  }
  await raise(context, balanceKey(accountId, FIRST_STRIPE), { stripes, also: { transfers: {} } });
  await raise(context, accountKey(accountId), { stripes, also: {} });
  for (const { keyId } of await listKeys(context, accountId)) {
    await setKeyStripes(context, keyId, stripes);
  }
  await spreadBalance(context, accountId);
  return readAccount(context, accountId);
}

async function put(context: LedgerContext, item: Item & ItemKey): Promise<void> {
  const { gateway: table } = context.tables;
  await sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: true });
}

/** Raises the number that stands on an item: a copy that comes late never lowers it. */
async function raise(
  context: LedgerContext,
  key: ItemKey,
  { stripes, also }: { readonly stripes: number; readonly also: Item },
): Promise<void> {
  const number = BigInt(stripes);
  const update = { operation: 'update', table: context.tables.gateway, key } as const;
  await sendRepeatedly(context, {
    ...update,
    changes: { set: { stripes: number, ...also } },
    conditions: [
      { path: 'pk', is: 'present' },
      { path: 'stripes', is: 'absent' },
    ],
  });
  await sendRepeatedly(context, {
    ...update,
    changes: { set: { stripes: number } },
    conditions: [{ path: 'stripes', is: '<', value: number }],
  });
}

/**
 * Ends transfers that a crash has left, and evens out balances of several stripes. Returns for how
 * many accounts that could not be done now.
 */
export async function sweepStripes(context: LedgerContext): Promise<number> {
  const { gateway: table } = context.tables;
  let left = 0;
  for (const item of await queryAll(context, { table, pk: STRIPED_PARTITION })) {
    const accountId = textOf(item, 'sk');
    try {
      await finishOld(context, accountId, await readStripes(context, accountId), MINUTE_MS);
      await spreadBalance(context, accountId);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      left += 1;
    }
  }
  return left;
}
