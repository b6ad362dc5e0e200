/** Value below which that share (0 to 1) of the values lies, by nearest rank. NaN where there is none. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export function median(values: readonly number[] | Float64Array): number {
  return percentile(values, 0.5);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** For people and for JSON: four significant digits are more than a noisy machine gives. */
export function rounded(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : value;
}
