import { mintShortId, readAccount } from './accounts.ts';
import { readKey, rememberKey } from './authenticate.ts';
import type { LedgerContext } from './context.ts';
import { type KeyState, readKeyState } from './key-state.ts';
import { formatApiKey, parseApiKey } from './keys.ts';
import { Refusal } from './once.ts';
import { queryAll, sendRepeatedly } from './request.ts';
import { NO_PERIOD, periodAt } from './spend-limits.ts';
import {
  type Changes,
  type Condition,
  type Item,
  type ItemKey,
  numberOf,
  textOf,
} from './store.ts';
import { accountKeysPartition, keyStateKey, lookupKey } from './tables.ts';
import type { RecurringLimit, RecurringPeriod } from './types.ts';

export const DEFAULT_BURST = 60;
export const DEFAULT_RATE = '10';
const SECRET_BYTES = 32;
const TRIES = 20;

export interface KeySettings {
  readonly accountId: string;
  readonly name: string;
  readonly burst: number;
  /** Tokens a second, decimal. */
  readonly rate: string;
  readonly expiresAtMs?: number;
  readonly lifetimeLimit?: bigint;
  readonly recurringLimit?: { readonly amount: bigint; readonly period: RecurringPeriod };
}

export interface IssuedKey {
  readonly keyId: string;
  /** The secret: shown this once, only its hash is stored. */
  readonly apiKey: string;
}

/** Creates a key. Throws Refusal where there is no such account, StoreFailure. */
export async function createKey(context: LedgerContext, settings: KeySettings): Promise<IssuedKey> {
  await readAccount(context, settings.accountId);
  const keyId = mintShortId(context, 'key');
  const { apiKey, hash } = mintSecret(context);
  const { gateway: table } = context.tables;
  const directory = { pk: accountKeysPartition(settings.accountId), sk: keyId };
  const put = (item: Item & ItemKey) =>
    sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: true });
  await put({ ...keyStateKey(keyId), ...newKeyState(context, settings, hash) });
  await put({ ...directory, name: settings.name, created: BigInt(context.now()) });
  // Asked once the key is listed: whoever lays the balance on more stripes tells the keys listed.
  const { stripes } = await readAccount(context, settings.accountId);
  if (stripes > 1) await setKeyStripes(context, keyId, stripes);
  // The lookup last: a secret that leads somewhere leads to a whole key.
  await put({ ...lookupKey(hash), key: keyId });
  return { keyId, apiKey };
}

function mintSecret(context: LedgerContext): { apiKey: string; hash: string } {
  const apiKey = formatApiKey(context.randomBytes(SECRET_BYTES));
  const hash = parseApiKey(apiKey);
  if (!hash) throw new TypeError('a new secret is not well formed');
  return { apiKey, hash };
}

function newKeyState(context: LedgerContext, settings: KeySettings, hash: string): Item {
  const { expiresAtMs, lifetimeLimit, recurringLimit } = settings;
  const recurring = recurringLimit && { ...recurringLimit, generation: 1n };
  return {
    account: settings.accountId,
    enabled: true,
    version: 1n,
    burst: BigInt(settings.burst),
    rate: settings.rate,
    hashes: { [hash]: 0n },
    tat: 0n,
    holds: {},
    life_room: lifetimeLimit ?? 0n,
    period_room: recurring?.amount ?? 0n,
    period: recurring ? periodAt(recurring, context.now()) : NO_PERIOD,
    ...(expiresAtMs === undefined ? {} : { expires: BigInt(expiresAtMs) }),
    ...(lifetimeLimit === undefined
      ? {}
      : { life_limit: lifetimeLimit, life_since: BigInt(context.now()) }),
    ...(recurring ? recurringAttributes(recurring) : {}),
  };
}

function recurringAttributes(limit: RecurringLimit): Record<string, string | bigint> {
  return {
    period_kind: limit.period,
    period_limit: limit.amount,
    period_generation: limit.generation,
  };
}

/** Reads a key. Throws Refusal where there is none. */
export async function showKey(context: LedgerContext, keyId: string): Promise<KeyState> {
  const state = await readKey(context, keyId);
  if (!state) throw new Refusal(`there is no key "${keyId}"`);
  return state;
}

export interface ListedKey {
  readonly keyId: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** Every key of an account. */
export async function listKeys(context: LedgerContext, accountId: string): Promise<ListedKey[]> {
  await readAccount(context, accountId);
  const pk = accountKeysPartition(accountId);
  const items = await queryAll(context, { table: context.tables.gateway, pk });
  return items.map((item) => ({
    keyId: textOf(item, 'sk'),
    name: textOf(item, 'name'),
    createdAtMs: Number(numberOf(item, 'created')),
  }));
}

/** Disables or enables a key, from the next request of every process on. */
export function setKeyEnabled(
  context: LedgerContext,
  keyId: string,
  enabled: boolean,
): Promise<KeyState> {
  return changeKey(context, keyId, (state) => {
    const { expiresAtMs } = state.record;
    if (enabled && expiresAtMs !== undefined && expiresAtMs <= context.now()) {
      throw new Refusal('the key has expired: give it another expiry first');
    }
    return { changes: { set: { enabled } } };
  });
}

/** A new secret; the old ones open the key for `overlapMs` more. */
export async function rotateKey(
  context: LedgerContext,
  keyId: string,
  overlapMs: number,
): Promise<IssuedKey> {
  const { apiKey, hash } = mintSecret(context);
  await changeKey(context, keyId, (state) => {
    const nowMs = context.now();
    const until = BigInt(nowMs + overlapMs);
    const kept = [...state.hashes]
      .filter(([, ends]) => overlapMs > 0 && (ends === 0n || Number(ends) > nowMs))
      .map(([old, ends]) => [old, ends !== 0n && ends < until ? ends : until]);
    return { changes: { set: { hashes: Object.fromEntries([...kept, [hash, 0n]]) } } };
  });
  const table = context.tables.gateway;
  const item = { ...lookupKey(hash), key: keyId };
  await sendRepeatedly(context, { operation: 'put', table, item, ifAbsent: true });
  return { keyId, apiKey };
}

/**
 * Tells a key how many stripes its account's balance has. Requests choose among so many; nothing
 * else of the key matters to it, so a busy key takes it too. Throws Refusal, StoreFailure.
 */
export async function setKeyStripes(
  context: LedgerContext,
  keyId: string,
  stripes: number,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { record } = await showKey(context, keyId);
    if (record.stripes >= stripes) return;
    await sendRepeatedly(context, {
      operation: 'update',
      table: context.tables.gateway,
      key: keyStateKey(keyId),
      changes: { set: { stripes: BigInt(stripes) }, add: { version: 1n } },
      conditions: [{ path: 'version', is: '=', value: record.version }],
    });
  }
  throw new Refusal(`key "${keyId}" is changing too fast; try again`);
}

/** Limits to change; `null` takes one away, an absent one stays as it is. */
export interface LimitChanges {
  readonly burst?: number;
  readonly rate?: string;
  readonly expiresAtMs?: number | null;
  readonly lifetimeLimit?: bigint | null;
  readonly recurringLimit?: { readonly amount: bigint; readonly period: RecurringPeriod } | null;
}

/** Changes limits. What was spent counts against a limit that is raised or lowered. */
export function changeKeyLimits(
  context: LedgerContext,
  keyId: string,
  limits: LimitChanges,
): Promise<KeyState> {
  return changeKey(context, keyId, (state) => {
    const parts = [
      lifetimeChange(context, state, limits.lifetimeLimit),
      recurringChange(context, state, limits.recurringLimit),
      plainChange('expires', optionalTime(limits.expiresAtMs)),
      plainChange('burst', limits.burst === undefined ? undefined : BigInt(limits.burst)),
      plainChange('rate', limits.rate),
    ];
    return {
      changes: {
        set: Object.assign({}, ...parts.map((part) => part.set)),
        remove: parts.flatMap((part) => part.remove ?? []),
      },
    };
  });
}

function optionalTime(timeMs: number | null | undefined): bigint | null | undefined {
  return typeof timeMs === 'number' ? BigInt(timeMs) : timeMs;
}

function plainChange(name: string, value: string | bigint | null | undefined): Changes {
  if (value === undefined) return {};
  return value === null ? { remove: [name] } : { set: { [name]: value } };
}

/** A new limit counts the holds that are open now: their refunds will come back to it. */
function lifetimeChange(
  context: LedgerContext,
  state: KeyState,
  limit: bigint | null | undefined,
): Changes {
  if (limit === undefined) return {};
  if (limit === null) return { remove: ['life_limit', 'life_since'] };
  const before = state.record.lifetimeLimit;
  if (before !== undefined) {
    return { set: { life_limit: limit, life_room: state.lifetimeRoom + limit - before } };
  }
  const open = [...state.holds.values()].reduce((sum, amount) => sum + amount, 0n);
  const life_since = BigInt(context.now());
  return { set: { life_limit: limit, life_room: limit - open, life_since } };
}

/** Another kind of period begins anew, as a generation of its own that earlier holds cannot refund to. */
function recurringChange(
  context: LedgerContext,
  state: KeyState,
  limit: LimitChanges['recurringLimit'],
): Changes {
  if (limit === undefined) return {};
  if (limit === null) {
    return {
      set: { period: NO_PERIOD },
      remove: ['period_kind', 'period_limit', 'period_generation'],
    };
  }
  const before = state.record.recurringLimit;
  if (before?.period === limit.period) {
    const period_room = state.periodRoom + limit.amount - before.amount;
    return { set: { period_limit: limit.amount, period_room } };
  }
  const fresh = { ...limit, generation: state.record.version + 1n };
  const period = periodAt(fresh, context.now());
  return { set: { ...recurringAttributes(fresh), period, period_room: limit.amount } };
}

/**
 * Changes a key's item from what was read of it, again until nothing came between. Every request
 * moves `tat`, every settlement the rooms or the number of open holds: together with the version
 * they tell whether the item is still the one that was read.
 */
async function changeKey(
  context: LedgerContext,
  keyId: string,
  plan: (state: KeyState) => { changes: Changes },
): Promise<KeyState> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const state = await showKey(context, keyId);
    const { changes } = plan(state);
    const reply = await sendRepeatedly(context, {
      operation: 'update',
      table: context.tables.gateway,
      key: keyStateKey(keyId),
      changes: { ...changes, add: { version: 1n } },
      conditions: unchangedSince(state),
    });
    if (reply.outcome === 'done' && reply.item) {
      const changed = readKeyState(reply.item);
      rememberKey(context, changed);
      return changed;
    }
  }
  throw new Refusal(`key "${keyId}" is changing too fast; try again`);
}

function unchangedSince(state: KeyState): Condition[] {
  return [
    { path: 'version', is: '=', value: state.record.version },
    { path: 'tat', is: '=', value: state.tat },
    { path: 'life_room', is: '=', value: state.lifetimeRoom },
    { path: 'period_room', is: '=', value: state.periodRoom },
    ...[...state.holds.keys()].map((id) => ({ path: `holds.${id}`, is: 'present' }) as const),
  ];
}
