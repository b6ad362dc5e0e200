import type { Ledger } from '../ledger/ledger.ts';
import type { KeyRecord } from '../ledger/types.ts';
import { readApiKey } from './credential.ts';
import type { FunctionUrlEvent } from './function-url.ts';
import type { Unit } from './middleware.ts';

const authenticated = new WeakMap<FunctionUrlEvent, KeyRecord>();

/** Checks the credential (part 5) before anything of the body is looked at. */
export function authenticate(ledger: Pick<Ledger, 'authenticateKey'>): Unit {
  return {
    before: async ({ event }) => {
      authenticated.set(event, await ledger.authenticateKey(readApiKey(event.headers)));
    },
  };
}

/** The key that `authenticate` found for this event; undefined where it found none. */
export function findKey(event: FunctionUrlEvent): KeyRecord | undefined {
  return authenticated.get(event);
}

/** The key of an event that has passed `authenticate`. */
export function keyOf(event: FunctionUrlEvent): KeyRecord {
  const key = findKey(event);
  if (!key) throw new Error('the event was not authenticated');
  return key;
}
