import { adjustAccount, creditAccount } from '../../shared/ledger/accounts.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import type { Charge, KeyRecord } from '../../shared/ledger/types.ts';
import { formatUsd } from '../../shared/pricing/money.ts';
import type { TestDatabase } from './database.ts';
import { createTestClock, DETAILS, fundedKey, openLedger, type TestClock } from './ledger.ts';

const USD = 1_000_000_000n;
const HOUR_MS = 3_600_000;
export const SAMPLE_DAYS = { first: '2026-10-05', last: '2026-10-14' };
const DAYS = 10;
const REQUESTS_A_DAY = 8;

/** What a page must show as text and never run. */
export const HOSTILE = `<script>globalThis.hacked=1</script><img src=x onerror="globalThis.hacked=1">'"&`;

/** Nano-dollars a token: plain input, cached input, output. */
const MODELS = [
  { model: 'gpt-5.6-sol', provider: 'openai', prices: [1_750n, 175n, 14_000n] },
  { model: 'claude-sonnet-5', provider: 'anthropic', prices: [3_000n, 300n, 15_000n] },
  { model: 'claude-opus-5', provider: 'anthropic', prices: [5_000n, 500n, 25_000n] },
  { model: HOSTILE, provider: 'azure', prices: [250n, 25n, 2_001n] },
] as const;

/** Ten days of an account's life, booked by the ledger's own code into the local tables. */
export async function bookSampleLedger(database: TestDatabase): Promise<Ledger> {
  const clock = createTestClock(Date.parse(`${SAMPLE_DAYS.first}T08:00:00Z`));
  const { now, monotonicNow } = clock;
  const ledger = openLedger(database, { tables: LOCAL_TABLES, now, monotonicNow });
  const { context } = ledger;
  const big = await fundedKey(ledger, 400n * USD);
  const small = await fundedKey(ledger, 25n * USD + 7n);
  const idle = await fundedKey(ledger, 5n * USD);
  for (let day = 0; day < DAYS; day += 1) {
    for (let request = 0; request < REQUESTS_A_DAY; request += 1) {
      const key = request % 3 === 2 ? small.key : big.key;
      await book(ledger, key, day * REQUESTS_A_DAY + request);
    }
    if (day === 3) await adjust(ledger, big.accountId, { amount: -3n * USD - 1n, reason: HOSTILE });
    if (day === 6) {
      await creditAccount(context, { accountId: idle.accountId, amount: USD / 3n });
      await expireOne(ledger, clock, small.key);
    }
    clock.advance(Date.parse(dayAfter(day)) - clock.now());
  }
  return ledger;
}

function dayAfter(day: number): string {
  return new Date(
    Date.parse(`${SAMPLE_DAYS.first}T08:00:00Z`) + (day + 1) * 24 * HOUR_MS,
  ).toISOString();
}

function adjust(ledger: Ledger, accountId: string, change: { amount: bigint; reason: string }) {
  return adjustAccount(ledger.context, { accountId, ...change });
}

async function book(ledger: Ledger, key: KeyRecord, number: number): Promise<void> {
  const charge = chargeOf(number);
  // One request in twenty costs more than was held.
  const amount = number % 20 === 7 ? charge.amount - 5_000_003n : (charge.amount * 17n) / 10n;
  const hold = await ledger.placeHold({ key, amount, fingerprint: 'sample' });
  if (number % 16 === 11)
    await ledger.release(hold, { ...charge.details, usage: {}, prices: {}, status: 'refused' });
  else await ledger.settle(hold, charge);
}

function chargeOf(number: number): Charge {
  const { model, provider, prices } =
    MODELS[(number * 7 + (number >> 3)) % MODELS.length] ?? MODELS[0];
  const counts = [
    900 + ((number * 7919) % 20_000),
    (number % 4) * 3_000,
    200 + ((number * 104_729) % 9_000),
  ];
  const meters = ['input_tokens', 'cached_input_tokens', 'output_tokens'];
  const amount = prices.reduce((sum, price, index) => sum + price * BigInt(counts[index] ?? 0), 0n);
  const interrupted = number % 13 === 5;
  return {
    amount,
    details: {
      ...DETAILS,
      model,
      modelRequested: model,
      provider,
      deployment: `${provider}-${model}`,
      usage: Object.fromEntries(meters.map((meter, index) => [meter, counts[index] ?? 0])),
      prices: Object.fromEntries(
        meters.map((meter, index) => [meter, formatUsd(prices[index] ?? 0n)]),
      ),
      estimated: interrupted,
      status: interrupted ? 'interrupted' : 'completed',
      metadata: { tenant: HOSTILE },
    },
  };
}

/** A hold that nobody settles until its time is up, and then somebody does after all. */
async function expireOne(ledger: Ledger, clock: TestClock, key: KeyRecord): Promise<void> {
  const charge = chargeOf(1);
  const late = await ledger.placeHold({ key, amount: charge.amount, fingerprint: 'late' });
  await ledger.placeHold({ key, amount: USD, fingerprint: 'lost' });
  clock.advance(HOUR_MS);
  await ledger.sweepHolds();
  await ledger.settle(late, charge);
}
