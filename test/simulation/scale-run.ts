import { GatewayError } from '../../shared/api/error.ts';
import { createAccount, creditAccount } from '../../shared/ledger/accounts.ts';
import { createKey } from '../../shared/ledger/key-admin.ts';
import { createLedger, type Ledger } from '../../shared/ledger/ledger.ts';
import { stripeAccount } from '../../shared/ledger/stripe-account.ts';
import { balanceKey, tableNames } from '../../shared/ledger/tables.ts';
import type { PlacedHold } from '../../shared/ledger/types.ts';
import { DETAILS as CHARGE_DETAILS } from '../support/ledger.ts';
import { createRandom, type Random } from './random.ts';
import { createScaleDatabase, itemBytes, type ScaleDatabase } from './scale-database.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';

/** One load on one account. */
export interface Scenario {
  readonly seed: number;
  readonly stripes: number;
  readonly keys: number;
  /** Every key has a spend limit, so that it holds what the balance holds. */
  readonly limitedKeys: boolean;
  readonly requestsPerSecond: number;
  /** How long a hold stays open, on average. */
  readonly holdMs: number;
  /** After the holds of the beginning have been settled. */
  readonly measuredMs: number;
  /** What there is, in holds. */
  readonly creditInHolds: number;
  readonly writeUnitsPerPartition: number;
}

export interface Figures {
  readonly requests: number;
  readonly granted: number;
  /** Answers other than a hold, by code. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the call to the hold, in virtual milliseconds. */
  readonly placeP50Ms: number;
  readonly placeP99Ms: number;
  /** Writes that the database throttled, by kind of item; each was sent again, or given up. */
  readonly throttled: ReadonlyMap<string, number>;
  readonly writeUnitsPerRequest: number;
  readonly readUnitsPerRequest: number;
  readonly hottestStripeUnitsPerSecond: number;
  readonly largestStripeBytes: number;
  readonly spooled: number;
  /** Faults of the books in the end. */
  readonly differences: number;
}

const TABLES = tableNames('scale');
const PROCESSES = 100;
/** A hold is worth this much; a request then costs two fifths of it. */
const HOLD = 50_000_000n;
const CHARGE = 20_000_000n;
const READ_UNITS = 3_000;
/** After the load, until everything that was placed is settled. */
const CALM_MS = 60_000;
const STEP_MS = 10;
/** A hold lasts from half to one and a half times the average. */
const LONGEST_HOLD = 1.5;

/** What became of the requests that came from a time on. */
interface Tally {
  fromMs: number;
  readonly latenciesMs: number[];
  readonly refused: Map<string, number>;
  requests: number;
  spooled: number;
}

interface Stage {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly ledgers: readonly Ledger[];
  readonly tally: Tally;
}

/** Runs one load from an empty database, in virtual time; equal scenarios give equal figures. */
export async function runScenario(scenario: Scenario): Promise<Figures> {
  const random = createRandom(scenario.seed);
  const scheduler = createScheduler(Date.UTC(2026, 2, 10));
  const limits = { writeUnits: scenario.writeUnitsPerPartition, readUnits: READ_UNITS };
  const database = createScaleDatabase({ scheduler, random, limits });
  const tally: Tally = { fromMs: 0, latenciesMs: [], refused: new Map(), requests: 0, spooled: 0 };
  const [first, ...others] = Array.from({ length: PROCESSES }, () =>
    createProcess({ scheduler, random, tally }, database),
  );
  if (!first) throw new RangeError('no process');
  const stage = { scheduler, random, tally, ledgers: [first, ...others] };
  const { accountId, apiKeys } = await inVirtualTime(scheduler, prepare(first, scenario));
  // The longest holds of the beginning are settled by then: as many end as begin.
  const fromMs = scheduler.nowMs() + LONGEST_HOLD * scenario.holdMs;
  const endMs = fromMs + scenario.measuredMs;
  tally.fromMs = fromMs;
  offerLoad(stage, scenario, { apiKeys, endMs });
  await scheduler.run(fromMs, () => false);
  database.reset();
  await scheduler.run(endMs, () => false);
  const traffic = trafficOf(scenario, database, accountId);
  await scheduler.run(endMs + CALM_MS, () => false);
  const { differences } = await inVirtualTime(scheduler, first.verifyLedger(accountId));
  return { ...answersOf(tally), ...traffic(tally), differences: differences.length };
}

function createProcess(
  { scheduler, random, tally }: Omit<Stage, 'ledgers'>,
  database: ScaleDatabase,
): Ledger {
  return createLedger({
    send: database.send,
    tables: TABLES,
    now: () => Math.floor(scheduler.nowMs()),
    monotonicNow: scheduler.nowMs,
    randomBytes: random.bytes,
    wait: (ms) => new Promise<void>((resolve) => scheduler.after(ms, resolve)),
    spool: {
      async add() {
        tally.spooled += 1;
      },
      drain: async () => 0,
    },
  });
}

/** Runs virtual time until something is done. */
async function inVirtualTime<Result>(scheduler: Scheduler, task: Promise<Result>): Promise<Result> {
  let done = false;
  const ended = task.finally(() => {
    done = true;
  });
  while (!done) await scheduler.run(scheduler.nowMs() + STEP_MS, () => done);
  return ended;
}

async function prepare({ context }: Ledger, scenario: Scenario) {
  const { accountId } = await createAccount(context, 'busy');
  const amount = HOLD * BigInt(scenario.creditInHolds);
  await creditAccount(context, { accountId, amount });
  if (scenario.stripes > 1) await stripeAccount(context, accountId, scenario.stripes);
  const apiKeys: string[] = [];
  for (let keys = 0; keys < scenario.keys; keys += 1) {
    const limit = scenario.limitedKeys ? { lifetimeLimit: amount } : {};
    const settings = { accountId, name: 'key', burst: 1_000_000, rate: '100000', ...limit };
    apiKeys.push((await createKey(context, settings)).apiKey);
  }
  return { accountId, apiKeys };
}

/** Requests come at random, at any moment as likely as at any other. */
function offerLoad(
  stage: Stage,
  scenario: Scenario,
  { apiKeys, endMs }: { readonly apiKeys: readonly string[]; readonly endMs: number },
): void {
  const { scheduler, random } = stage;
  const next = () => {
    if (scheduler.nowMs() >= endMs) return;
    request(stage, scenario, random.pick(apiKeys)).catch((error: unknown) => {
      throw error;
    });
    const uniform = random.between(1, 1_000_000) / 1_000_000;
    scheduler.after((-1_000 * Math.log(uniform)) / scenario.requestsPerSecond, next);
  };
  next();
}

async function request(stage: Stage, { holdMs }: Scenario, apiKey: string): Promise<void> {
  const { scheduler, random, tally } = stage;
  const ledger = random.pick(stage.ledgers);
  const placed = await place(ledger, apiKey, { scheduler, tally });
  if (!placed) return;
  const openMs = random.between(holdMs / 2, holdMs * LONGEST_HOLD);
  await new Promise<void>((resolve) => scheduler.after(openMs, resolve));
  await ledger.settle(placed, { amount: CHARGE, details: DETAILS });
}

async function place(
  ledger: Ledger,
  apiKey: string,
  { scheduler, tally }: Pick<Stage, 'scheduler' | 'tally'>,
): Promise<PlacedHold | undefined> {
  const cameMs = scheduler.nowMs();
  const counts = cameMs >= tally.fromMs;
  if (counts) tally.requests += 1;
  try {
    const key = await ledger.authenticateKey(apiKey);
    const placed = await ledger.placeHold({ key, amount: HOLD, fingerprint: 'f' });
    if (counts) tally.latenciesMs.push(scheduler.nowMs() - cameMs);
    return placed;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (counts) tally.refused.set(error.code, (tally.refused.get(error.code) ?? 0) + 1);
    return undefined;
  }
}

function answersOf({ latenciesMs, requests, refused, spooled }: Tally) {
  const latencies = latenciesMs.toSorted((one, other) => one - other);
  const quantile = (share: number) =>
    Math.round(latencies[Math.floor(latencies.length * share)] ?? 0);
  return {
    requests,
    granted: latencies.length,
    refused,
    placeP50Ms: quantile(0.5),
    placeP99Ms: quantile(0.99),
    spooled,
  };
}

/** What the database has done within the measured time, of which the last request is yet to end. */
function trafficOf({ stripes, measuredMs }: Scenario, database: ScaleDatabase, accountId: string) {
  const writeUnits = [...database.used.values()].reduce((sum, units) => sum + units, 0);
  const readUnits = database.readUnits();
  const keys = Array.from({ length: stripes }, (_, stripe) => balanceKey(accountId, stripe));
  const units = keys.map(({ pk }) => database.byPartition.get(`${TABLES.gateway} ${pk}`) ?? 0);
  const sizes = keys.map((key) => itemBytes(database.read(TABLES.gateway, key)));
  const throttled = new Map(database.throttled);
  return ({ requests }: Tally) => ({
    throttled,
    writeUnitsPerRequest: writeUnits / requests,
    readUnitsPerRequest: readUnits / requests,
    hottestStripeUnitsPerSecond: Math.round((Math.max(...units) * 1_000) / measuredMs),
    largestStripeBytes: Math.max(...sizes),
  });
}

/** Without metadata, whose length is the clients' own; times do not change a row's size. */
const DETAILS = { ...CHARGE_DETAILS, metadata: {} };
