/** An exact amount of money in nano-dollars (10^-9 USD). */
export type NanoUsd = bigint;

const NANO_DIGITS = 9;
const NANO_PER_USD = 10n ** BigInt(NANO_DIGITS);
const DECIMAL_USD = /^(-?)(\d{1,15})(?:\.(\d{1,9}))?$/;

/**
 * Reads a decimal string of US dollars (`"25.00"`, `"0.000000001"`) exactly.
 * Throws a RangeError for anything else: more than nine decimals, exponents, signs but `-`.
 */
export function parseUsd(text: string): NanoUsd {
  const match = DECIMAL_USD.exec(text);
  if (!match) {
    throw new RangeError(`"${text}" is not a decimal amount of US dollars with at most 9 decimals`);
  }
  const [, sign, whole = '0', fraction = ''] = match;
  const amount = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(NANO_DIGITS, '0'));
  return sign === '-' ? -amount : amount;
}

/** Writes nano-dollars as a decimal string of US dollars: two decimals at least, nine at most. */
export function formatUsd(amount: NanoUsd): string {
  const magnitude = amount < 0n ? -amount : amount;
  const whole = magnitude / NANO_PER_USD;
  const fraction = (magnitude % NANO_PER_USD).toString().padStart(NANO_DIGITS, '0');
  const decimals = fraction.replace(/0+$/, '').padEnd(2, '0');
  return `${amount < 0n ? '-' : ''}${whole}.${decimals}`;
}
