import { adjustAccount, creditAccount } from '../../shared/ledger/accounts.ts';
import { changeKeyLimits, rotateKey, setKeyEnabled } from '../../shared/ledger/key-admin.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import { Refusal } from '../../shared/ledger/once.ts';
import { stripeAccount } from '../../shared/ledger/stripe-account.ts';
import { demand } from './auditor-model.ts';
import type { SimulatedProcess } from './process.ts';
import { count, type World } from './world.ts';

type Operation = (world: World, process: SimulatedProcess) => Promise<void>;

/** A reference stands for one amount, however often it is asked for. */
const credit: Operation = async (world, process) => {
  const accountId = world.random.pick(world.accountIds);
  const number = world.random.between(1, 4);
  const amount = BigInt(number) * 20n;
  const reference = `payment-${number}`;
  await creditAccount(process.ledger.context, { accountId, amount, reference });
  world.auditor.booked(accountId, `credit#${reference}`, amount);
};

const adjust: Operation = async (world, process) => {
  const accountId = world.random.pick(world.accountIds);
  const number = world.random.between(1, 4);
  const amount = BigInt(number % 2 === 0 ? number : -number) * 10n;
  const reference = `correction-${number}`;
  const fromMs = world.scheduler.nowMs();
  const adjustment = { accountId, amount, reference, reason: 'test' };
  await adjustAccount(process.ledger.context, adjustment).catch((error: unknown) => {
    const short = error instanceof Refusal && error.message.includes('does not cover');
    if (short) world.auditor.adjustmentRefused({ accountId, amount: -amount, fromMs });
    throw error;
  });
  world.auditor.booked(accountId, `adjustment#${reference}`, amount);
};

const disable: Operation = async (world, process) => {
  const { keyId } = world.random.pick(world.keys);
  const { context } = process.ledger;
  await setKeyEnabled(context, keyId, false);
  await process.wait(world.random.between(0, 4_000));
  await setKeyEnabled(context, keyId, true);
};

const rotate: Operation = async (world, process) => {
  const key = world.random.pick(world.keys);
  const overlapMs = world.random.pick([0, 3_000]);
  const issued = await rotateKey(process.ledger.context, key.keyId, overlapMs);
  key.apiKey = issued.apiKey;
};

const changeLimits: Operation = async (world, process) => {
  const { random } = world;
  const { keyId } = random.pick(world.keys);
  const amount = BigInt(random.between(50, 300));
  const period = random.pick(['day', 'week', 'month'] as const);
  const changes = random.pick([
    { lifetimeLimit: amount },
    { lifetimeLimit: null },
    { recurringLimit: { amount, period } },
    { recurringLimit: { amount, period: 'day' as const } },
    { recurringLimit: null },
    { burst: random.between(2, 10), rate: '2' },
  ]);
  await changeKeyLimits(process.ledger.context, keyId, changes);
};

/** Lays a balance on more stripes while requests run, and on one more; fewer are refused. */
const stripe: Operation = async (world, process) => {
  const accountId = world.random.pick(world.accountIds);
  const stripes = world.random.between(2, 6);
  await stripeAccount(process.ledger.context, accountId, stripes);
  await process.wait(world.random.between(0, 2_000));
  await stripeAccount(process.ledger.context, accountId, stripes + 1);
};

/**
 * What a verification found that is surely wrong. What remains of a limit that began later it can
 * only bound by the times of clocks: where those are off by minutes, the auditor alone judges that.
 */
export function provenDifferences(
  world: World,
  { differences }: Awaited<ReturnType<Ledger['verifyLedger']>>,
) {
  const trusted = world.faults.skewMs <= 1_000;
  return differences.filter(({ problem }) => trusted || !problem.startsWith('key-'));
}

const verify: Operation = async (world, process) => {
  const found = provenDifferences(world, await process.ledger.verifyLedger());
  const wrong = found.filter(({ problem }) => problem !== 'stale-hold');
  demand(wrong.length === 0, () => `the books do not verify: ${wrong[0]?.problem}`);
};

const OPERATIONS: readonly (readonly [string, Operation])[] = [
  ['credit', credit],
  ['credit', credit],
  ['adjust', adjust],
  ['disable', disable],
  ['rotate', rotate],
  ['change limits', changeLimits],
  ['stripe', stripe],
  ['verify', verify],
];

/** Does one thing that operators do, at random. */
export async function operate(world: World, process: SimulatedProcess): Promise<void> {
  const [name, operation] = world.random.pick(OPERATIONS);
  world.note(() => `${process.name} begins: ${name}`);
  await operation(world, process);
  count(world, name);
}

/** One sweep, as a scheduler starts it every minute on some host. */
export async function sweep(world: World, process: SimulatedProcess): Promise<void> {
  world.note(() => `${process.name} sweeps`);
  const report = await process.ledger.sweepHolds();
  if (report.expired.length > 0) count(world, 'expired');
  if (report.reapplied.length > 0) count(world, 'reapplied');
  if (report.drained > 0) count(world, 'drained');
  count(world, 'sweep');
}
