import { GatewayError } from '../api/error.ts';
import type { LedgerContext } from './context.ts';
import { type KeyState, opensKey, readKeyState } from './key-state.ts';
import { parseApiKey } from './keys.ts';
import { readItem, sendRepeatedly } from './request.ts';
import { StoreFailure, textOf } from './store.ts';
import { keyStateKey, lookupKey } from './tables.ts';
import type { KeyFacts, KeyRecord } from './types.ts';

/** A record read this recently is not read again; `placeHold` refuses a stale one by its version. */
const RECORD_AGE_MS = 60_000;
const UNKNOWN_AGE_MS = 60_000;
const READ_TIMEOUT_MS = 2_000;

/**
 * The key that a secret opens: two reads when cold, none when warm.
 * Throws GatewayError: `authentication` (mistyped, unknown, rotated out), `permission` (disabled or
 * expired; the first request after expiry disables the key), `ledger_unavailable`.
 */
export async function authenticateKey(context: LedgerContext, secret: string): Promise<KeyRecord> {
  const hash = parseApiKey(secret);
  if (!hash || isKnownUnknown(context, hash)) throw invalidKey();
  const state = cached(context, hash) ?? (await readByHash(context, hash));
  if (!state || !opensKey(state, hash, context.now())) {
    context.memory.keysByHash.delete(hash);
    throw invalidKey();
  }
  await assertUsable(context, state.record);
  return { ...state.record, secretHash: hash };
}

/** Remembers what a read or a write has shown of a key. A disabled one is always asked for again. */
export function rememberKey(context: LedgerContext, state: KeyState): void {
  const { keyHints, keysByHash } = context.memory;
  keyHints.set(state.record.keyId, state);
  for (const hash of state.hashes.keys()) {
    if (!state.record.enabled) keysByHash.delete(hash);
    else keysByHash.set(hash, { state, readAtMs: context.monotonicNow() });
  }
}

/** Throws `permission` for a key that is disabled or expired; an expired one is disabled first. */
export async function assertUsable(context: LedgerContext, key: KeyFacts): Promise<void> {
  if (!key.enabled) throw new GatewayError('permission', 'This API key is disabled.');
  if (key.expiresAtMs === undefined || context.now() < key.expiresAtMs) return;
  await disableExpired(context, key).catch(() => undefined); // the 403 stands without it
  throw new GatewayError('permission', 'This API key has expired and is disabled.');
}

async function disableExpired(context: LedgerContext, key: KeyFacts): Promise<void> {
  await sendRepeatedly(context, {
    operation: 'update',
    table: context.tables.gateway,
    key: keyStateKey(key.keyId),
    changes: { set: { enabled: false }, add: { version: 1n } },
    conditions: [{ path: 'version', is: '=', value: key.version }],
  });
}

function isKnownUnknown(context: LedgerContext, hash: string): boolean {
  const remembered = context.memory.unknownHashes.get(hash);
  return remembered !== undefined && context.monotonicNow() < remembered.untilMs;
}

function cached(context: LedgerContext, hash: string): KeyState | undefined {
  const entry = context.memory.keysByHash.get(hash);
  const fresh = entry && context.monotonicNow() - entry.readAtMs < RECORD_AGE_MS;
  return fresh ? entry.state : undefined;
}

async function readByHash(context: LedgerContext, hash: string): Promise<KeyState | undefined> {
  const { gateway } = context.tables;
  try {
    const lookup = await readItem(context, gateway, lookupKey(hash), READ_TIMEOUT_MS);
    if (!lookup) {
      const untilMs = context.monotonicNow() + UNKNOWN_AGE_MS;
      context.memory.unknownHashes.set(hash, { untilMs });
      return undefined;
    }
    return await readKey(context, textOf(lookup, 'key'));
  } catch (error) {
    throw error instanceof StoreFailure ? ledgerUnavailable(error) : error;
  }
}

/** Reads a key's state and remembers it; undefined where there is no such key. */
export async function readKey(
  context: LedgerContext,
  keyId: string,
): Promise<KeyState | undefined> {
  const item = await readItem(context, context.tables.gateway, keyStateKey(keyId), READ_TIMEOUT_MS);
  if (!item) return undefined;
  const state = readKeyState(item);
  rememberKey(context, state);
  return state;
}

/** 401: no key, or none that is valid. */
export function invalidKey(): GatewayError {
  return new GatewayError('authentication', 'Incorrect API key provided.');
}

/** 503: the database did not answer, and nothing was charged. */
export function ledgerUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    'ledger_unavailable',
    'The billing database cannot be reached. Nothing was charged; please try again.',
    { cause },
  );
}
