import type { Catalog } from '../catalog/types.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Telemetry } from '../telemetry/request-log.ts';
import type { SendUpstream } from '../upstream/send.ts';

/** What a request needs of the world, made once for a process. */
export interface Services {
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly send: SendUpstream;
  /** IDs of the providers that can be called. Throws a GatewayError where secrets cannot be read. */
  readonly providers: () => Promise<ReadonlySet<string>>;
  /**
   * The provider-visible identity of a key: stable for the key, useless to anyone else. Throws a
   * GatewayError where secrets cannot be read.
   */
  readonly identityOf: (keyId: string) => Promise<string>;
  readonly telemetry: Telemetry;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newUuid: () => string;
}
