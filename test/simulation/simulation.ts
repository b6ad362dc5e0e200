import { createAccount, creditAccount } from '../../shared/ledger/accounts.ts';
import { createKey, type KeySettings } from '../../shared/ledger/key-admin.ts';
import { stripeAccount } from '../../shared/ledger/stripe-account.ts';
import { WORK_PARTITION } from '../../shared/ledger/tables.ts';
import { demand } from './auditor-model.ts';
import { operate, provenDifferences, sweep } from './operations.ts';
import { mintId, type RequestPlan, runRequest } from './requests.ts';
import { attempt, createWorld, start, TABLES, type World } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** The first rush lasts this long; then only what takes long goes on. */
const RUSH_MS = 40 * SECOND_MS;
/** Holds of the rush expire from here on, and requests come again. */
const EXPIRY_MS = 30 * MINUTE_MS;
const LAST_FAULT_MS = 32 * MINUTE_MS;
/** Every delayed write has arrived and every hold's time is up. */
const QUIET_MS = 110 * MINUTE_MS;

export interface RunResult {
  readonly seed: number;
  /** The rule that was broken, if one was. */
  readonly violation: Error | undefined;
  readonly counts: ReadonlyMap<string, number>;
}

/** Runs one seed from an empty database to the final audit. Equal seeds run equally. */
export async function runSimulation(seed: number, trace?: string[]): Promise<RunResult> {
  const world = createWorld(seed, trace);
  const stopped = () => world.violation !== undefined;
  const { scheduler } = world;
  const originMs = scheduler.nowMs();
  const runUntil = (ms: number) => scheduler.run(originMs + ms, stopped);
  start(world, 0, prepare);
  await runUntil(5 * SECOND_MS);
  if (world.keys.length === 0) throw new Error('preparing the accounts took too long');
  world.faults.begin();
  planRush(world);
  planExpiry(world);
  planMisfortune(world);
  await runUntil(LAST_FAULT_MS);
  world.faults.end();
  await runUntil(QUIET_MS);
  if (!stopped()) await concludeRun(world, runUntil);
  return { seed, violation: world.violation, counts: world.counts };
}

async function prepare(world: World, process: World['hosts'][number]['process']): Promise<void> {
  const { context } = process.ledger;
  const { random } = world;
  const limits: readonly Partial<KeySettings>[] = [
    {},
    { lifetimeLimit: BigInt(random.between(100, 400)) },
    { recurringLimit: { amount: BigInt(random.between(80, 300)), period: 'day' } },
    {
      lifetimeLimit: 500n,
      recurringLimit: { amount: 200n, period: random.pick(['week', 'month'] as const) },
      expiresAtMs: process.now() + random.between(10 * SECOND_MS, 60 * MINUTE_MS),
    },
  ];
  for (const name of ['first', 'second']) {
    const { accountId } = await createAccount(context, name);
    world.accountIds.push(accountId);
    const amount = BigInt(random.between(100, 600));
    await creditAccount(context, { accountId, amount, reference: 'opening' });
    const stripes = random.pick([1, 1, 2, 3, 5]);
    if (stripes > 1) await stripeAccount(context, accountId, stripes);
  }
  for (const limit of limits) {
    const accountId = random.pick(world.accountIds);
    const burst = random.between(3, 12);
    const rate = random.pick(['0.5', '2', '10']);
    const key = await createKey(context, { accountId, name: 'key', burst, rate, ...limit });
    world.keys.push({ ...key, accountId });
  }
  await process.ledger.sweepHolds();
}

function planRush(world: World): void {
  const { random } = world;
  for (let burst = random.between(3, 6); burst > 0; burst -= 1) {
    const atMs = random.between(0, RUSH_MS);
    const key = random.chance(0.5) ? random.pick(world.keys) : undefined;
    for (let requests = random.between(2, 9); requests > 0; requests -= 1) {
      const afterMs = atMs + random.between(0, random.pick([0, 30, 3_000]));
      startRequest(world, afterMs, { ...planRequest(world), ...(key ? { key } : {}) });
    }
  }
  for (let shared = random.between(0, 3); shared > 0; shared -= 1) planSharedId(world);
  for (let operations = random.between(2, 8); operations > 0; operations -= 1) {
    start(world, random.between(0, RUSH_MS), operate);
  }
}

function planRequest(world: World): RequestPlan {
  const { random } = world;
  const soon = random.between(0, 5 * SECOND_MS);
  const nearExpiry = EXPIRY_MS + random.between(-SECOND_MS, 20 * SECOND_MS);
  return {
    key: random.pick(world.keys),
    // Now and then more than a key's whole limit.
    amount: BigInt(random.between(1, random.chance(0.1) ? 500 : 100)),
    providerMs: random.chance(0.8) ? soon : nearExpiry,
    fingerprint: 'request',
  };
}

function startRequest(world: World, afterMs: number, plan: RequestPlan): void {
  start(world, afterMs, (_, process) => runRequest(world, process, plan));
}

/** Several calls under one ID, most of them alike. */
function planSharedId(world: World): void {
  const { random } = world;
  const atMs = random.between(0, RUSH_MS);
  const requestId = mintId(world, world.scheduler.nowMs() + atMs);
  const plan = { ...planRequest(world), requestId };
  for (let calls = random.between(2, 6); calls > 0; calls -= 1) {
    const differs = random.chance(0.2) ? { amount: plan.amount + 1n } : {};
    const call = { ...plan, ...differs, providerMs: random.between(0, 3 * SECOND_MS) };
    startRequest(world, atMs + random.between(0, random.pick([5, 1_000, 8_000])), call);
  }
}

/** When the first holds expire: sweeps side by side, late settlements, new requests. */
function planExpiry(world: World): void {
  const { random } = world;
  start(world, random.between(RUSH_MS, EXPIRY_MS), sweep);
  for (let sweeps = random.between(2, 3); sweeps > 0; sweeps -= 1) {
    start(world, EXPIRY_MS + random.between(0, RUSH_MS + 10 * SECOND_MS), sweep);
  }
  for (let requests = random.between(0, 6); requests > 0; requests -= 1) {
    startRequest(world, EXPIRY_MS + random.between(0, RUSH_MS), planRequest(world));
  }
  start(world, EXPIRY_MS + random.between(0, RUSH_MS), operate);
}

function planMisfortune(world: World): void {
  const { random, scheduler, faults } = world;
  const anyTime = () => random.between(0, RUSH_MS) + random.pick([0, EXPIRY_MS]);
  for (let steps = random.between(0, 4); steps > 0; steps -= 1) {
    scheduler.after(anyTime(), () => random.pick(world.hosts).process.stepClock());
  }
  for (let outages = random.between(0, 2); outages > 0; outages -= 1) {
    const fromMs = anyTime();
    scheduler.after(fromMs, () => faults.setOutage(true));
    scheduler.after(fromMs + random.between(200, 8_000), () => faults.setOutage(false));
  }
}

/** Everything restarts, sweeps go through, and nothing may be left over. */
async function concludeRun(world: World, runUntil: (ms: number) => Promise<void>): Promise<void> {
  for (const host of world.hosts) host.process.crash();
  for (const host of world.hosts) {
    world.scheduler.after(0, () => {
      conclude(world, host).catch((error: unknown) => attempt(world, () => rethrow(error)));
    });
    await runUntil(QUIET_MS + 5 * MINUTE_MS * (1 + world.hosts.indexOf(host)));
  }
  if (world.violation) return;
  attempt(world, () => {
    const work = world.store.scan(TABLES.gateway, ({ pk }) => pk === WORK_PARTITION);
    demand(work.length === 0, () => `work was left over: ${work[0]?.sk}`);
    world.auditor.totals(true);
  });
}

function rethrow(error: unknown): never {
  throw error;
}

async function conclude(world: World, host: World['hosts'][number]): Promise<void> {
  const { ledger } = host.process;
  const { left } = await ledger.sweepHolds();
  demand(left === 0, () => `a sweep in calm weather leaves ${left}`);
  demand(host.spooled.length === 0, () => 'a spooled charge is never drained');
  const report = await ledger.verifyLedger();
  const [first] = provenDifferences(world, report);
  demand(
    first === undefined,
    () => `the books do not verify: ${first?.problem} ${first?.requestId}`,
  );
}
