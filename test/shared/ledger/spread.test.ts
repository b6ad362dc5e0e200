import { array, assert, bigInt, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planGathering, planSpreading } from '../../../shared/ledger/spread.ts';
import { mostAvailable, type Stripe, totalAvailable } from '../../../shared/ledger/stripes.ts';

const amounts = array(bigInt(0n, 1_000n), { minLength: 1, maxLength: 40 });

function stripesOf(available: readonly bigint[]): Stripe[] {
  return available.map((amount, number) => {
    return { number, available: amount, sequence: 0n, holds: new Map(), transfers: new Map() };
  });
}

/** What the stripes have after some moves; no move may find less than it takes. */
function balancesAfter(
  stripes: readonly Stripe[],
  moves: ReturnType<typeof planSpreading>,
): bigint[] {
  const left = stripes.map(({ available }) => available);
  for (const { from, to, amount } of moves) {
    expect(amount).toBeGreaterThan(0n);
    expect(from).not.toBe(to);
    left[from] = (left[from] ?? 0n) - amount;
    left[to] = (left[to] ?? 0n) + amount;
    expect(left[from]).toBeGreaterThanOrEqual(0n);
  }
  return left;
}

describe('a plan of transfers', () => {
  test('that spreads leaves nobody with less than half of a fair share', () => {
    assert(
      property(amounts, (available) => {
        const stripes = stripesOf(available);
        const spread = balancesAfter(stripes, planSpreading(stripes));
        const fair = totalAvailable(stripes) / BigInt(stripes.length);
        for (const amount of spread) expect(amount * 2n).toBeGreaterThanOrEqual(fair);
        expect(planSpreading(stripesOf(spread))).toEqual([]);
      }),
    );
  });

  test('that gathers brings together what there is, and touches no more stripes than it needs', () => {
    assert(
      property(amounts, bigInt(0n, 10_000n), (available, wanted) => {
        const stripes = stripesOf(available);
        const moves = planGathering(stripes, wanted);
        const [first = 0n] = balancesAfter(stripes, moves);
        const total = totalAvailable(stripes);
        expect(first).toBeGreaterThanOrEqual(wanted < total ? wanted : total);
        const [one = 0n] = balancesAfter(stripes, moves.slice(0, -1));
        if (moves.length > 0) expect(one).toBeLessThan(wanted);
      }),
    );
  });
});

describe('two readings of a balance', () => {
  const [one, other] = stripesOf([30n, 70n]);
  if (!one || !other) throw new Error('two stripes');

  test('that agree bound it by what they show', () => {
    expect(mostAvailable([one, other], [one, other], true)).toBe(100n);
  });

  test('count what left a stripe unexplained, and what is under way once', () => {
    const left = { ...one, available: 10n };
    expect(mostAvailable([one, other], [left, other], false)).toBe(100n);
    const leaving = { ...one, available: 10n, transfers: new Map([['id', 20n]]) };
    const coming = { ...other, transfers: new Map([['id', -20n]]) };
    expect(mostAvailable([leaving, coming], [leaving, coming], true)).toBe(100n);
  });

  test('take a new hold for what left, and count it where it may have come later', () => {
    const held = { ...one, available: 5n, holds: new Map([['id', 25n]]) };
    expect(mostAvailable([one, other], [held, other], false)).toBe(75n);
    expect(mostAvailable([one, other], [held, other], true)).toBe(100n);
  });
});
