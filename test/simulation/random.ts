/** Everything that a run leaves to chance comes from one of these, so that a seed replays it exactly. */
export interface Random {
  /** A whole number from `low` to `high`, both inclusive. */
  readonly between: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Thing>(things: readonly Thing[]) => Thing;
  readonly bytes: (size: number) => Uint8Array;
}

/** A small generator of good quality (mulberry32). Pure: the same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = (seed * 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (things) => {
      const thing = things[between(0, things.length - 1)];
      if (thing === undefined) throw new RangeError('nothing to pick from');
      return thing;
    },
    bytes: (size) => Uint8Array.from({ length: size }, () => between(0, 255)),
  };
}
