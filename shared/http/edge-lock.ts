import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../api/error.ts';
import type { KeptValue } from '../settings/kept-value.ts';
import type { Unit } from './middleware.ts';

/** The header that the edge adds to every request, and that it overwrites where a client sent it. */
export const EDGE_SECRET_HEADER = 'x-tollgate-edge-secret';

/** The values that open the lock: two while the edge changes from one to the other. */
export type EdgeSecrets = readonly string[];

/**
 * Refuses what did not come through the edge, before anything else of the request is looked at.
 * A value that is not known may be a new one: it is looked for once more, as often as `renew` lets.
 * Throws what reading the secrets throws: nothing passes a lock that cannot be checked.
 */
export function onlyFromEdge(secrets: KeptValue<EdgeSecrets>): Unit {
  return {
    before: async ({ event }) => {
      const { [EDGE_SECRET_HEADER]: given, ...headers } = event.headers;
      if (given === undefined) throw notHere();
      const opened = opens(given, await secrets.get()) || opens(given, await secrets.renew());
      if (!opened) throw notHere();
      // What stands behind the lock never sees the secret.
      event.headers = headers;
    },
  };
}

/** Takes the same time whatever is alike, for hashes are compared; no value is left out. */
function opens(given: string, secrets: EdgeSecrets): boolean {
  const hash = digest(given);
  return secrets.map((secret) => timingSafeEqual(hash, digest(secret))).includes(true);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Part 7 knows one status for an address that serves no route; its 403 speaks of keys. */
function notHere(): GatewayError {
  return new GatewayError(
    'not_found',
    'This address serves no clients. Send the request to the base address of the service.',
  );
}
