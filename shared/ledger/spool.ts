import type { Charge, OpenHold } from './types.ts';

/** A finished charge that the database would not take. */
export interface SpooledCharge {
  readonly hold: OpenHold;
  readonly charge: Charge;
  readonly kind: 'charge' | 'release';
}

/** Where such charges wait: a file in the data folder locally, a queue on AWS. */
export interface ChargeSpool {
  /** Resolves once the charge is durable. */
  add(charge: SpooledCharge): Promise<void>;
  /** Hands over every waiting charge and forgets those handled without a throw; returns how many wait still. */
  drain(handle: (charge: SpooledCharge) => Promise<void>): Promise<number>;
}

/** JSON of a charge: amounts as decimal strings. */
export function writeSpooledCharge(spooled: SpooledCharge): string {
  return JSON.stringify(spooled, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** Reads what `writeSpooledCharge` wrote. Throws a SyntaxError for anything else. */
export function readSpooledCharge(text: string): SpooledCharge {
  // The one writer of this format is the function above.
  const raw = JSON.parse(text) as {
    hold: Omit<OpenHold, 'amount'> & { amount: string };
    charge: Omit<Charge, 'amount'> & { amount: string };
    kind: 'charge' | 'release';
  };
  const { period, ...hold } = raw.hold;
  return {
    hold: { ...hold, period, amount: BigInt(raw.hold.amount) },
    charge: { ...raw.charge, amount: BigInt(raw.charge.amount) },
    kind: raw.kind,
  };
}
