import type { GatewayRoute } from '../catalog/types.ts';
import type { PlacedHold } from '../ledger/types.ts';
import type { ExtraField } from './extra-fields.ts';
import type { Candidate } from './prepare.ts';
import type { Services } from './services.ts';

/** One request under its hold: what every later step needs to know of it. */
export interface Call {
  readonly services: Services;
  readonly route: GatewayRoute;
  readonly hold: PlacedHold;
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly modelRequested: string;
  readonly streaming: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** Fields of the `gateway` object that the client asked for. */
  readonly wanted: ReadonlySet<ExtraField>;
  /** Raw events of the provider's stream, kept where the client asked for them. */
  readonly rawEvents: string[] | undefined;
  /** Epoch milliseconds at which the host had the request. */
  readonly receivedAtMs: number;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
}
