import { GatewayError } from '../../shared/api/error.ts';
import type { ChargeDetails, PlacedHold } from '../../shared/ledger/types.ts';
import { demand } from './auditor-model.ts';
import type { SimulatedProcess } from './process.ts';
import { count, type IssuedSecret, type World } from './world.ts';

/** How one client's request goes. */
export interface RequestPlan {
  readonly key: IssuedSecret;
  readonly amount: bigint;
  /** How long the provider takes. */
  readonly providerMs: number;
  /** Places under an ID of the caller's making. */
  readonly requestId?: string;
  /** Where several calls share an ID they may differ in what they ask for. */
  readonly fingerprint: string;
}

/** Authenticates, places, dispatches, settles: what the gateway does for one request. */
export async function runRequest(
  world: World,
  process: SimulatedProcess,
  plan: RequestPlan,
): Promise<void> {
  const placed = await place(world, process, plan);
  const isCopy = plan.requestId !== undefined;
  if (!placed) return process.ledger.finishPending();
  if (!process.ledger.mayDispatch(placed)) {
    count(world, 'too late to dispatch');
    return finish(world, process, { placed, kind: 'release', cost: 0n, isCopy });
  }
  world.note(() => `${process.name} dispatches ${placed.requestId}`);
  world.auditor.dispatched({ ...placed, isCopy });
  await process.wait(plan.providerMs);
  const kind = world.random.chance(0.15) ? 'release' : 'charge';
  // One report in four costs more than was held.
  const cost = (placed.amount * BigInt(world.random.between(0, 130))) / 100n;
  const times = world.random.chance(0.15) ? [1, 2] : [1];
  const ended = { placed, kind, cost, isCopy } as const;
  const outcomes = await Promise.allSettled(times.map(() => finish(world, process, ended)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  // Whatever happens, a finished charge is booked or spooled.
  demand(!failed, () => `${placed.requestId} was not settled: ${failed?.reason}`);
}

async function place(
  world: World,
  process: SimulatedProcess,
  plan: RequestPlan,
): Promise<PlacedHold | undefined> {
  const fromMs = world.scheduler.nowMs();
  const { requestId, amount, fingerprint } = plan;
  const { accountId, keyId, apiKey } = plan.key;
  try {
    const key = await process.ledger.authenticateKey(apiKey);
    const request = { key, amount, fingerprint };
    const placed = await process.ledger.placeHold(
      requestId === undefined ? request : { ...request, requestId },
    );
    count(world, 'granted');
    return placed;
  } catch (error) {
    demand(error instanceof GatewayError, () => `placing throws what no client may see: ${error}`);
    const { code, message } = error;
    world.note(() => `${process.name} refuses ${amount} on ${keyId}: ${code}, ${message}`);
    count(world, `refused ${code}`);
    world.auditor.refused({
      ...{ code, message, accountId, keyId, amount, fromMs },
      toMs: world.scheduler.nowMs(),
      isCopy: requestId !== undefined,
      isCalm: world.faults.isCalm,
    });
    return undefined;
  }
}

interface Ending {
  readonly placed: PlacedHold;
  readonly kind: 'charge' | 'release';
  readonly cost: bigint;
  readonly isCopy: boolean;
}

async function finish(
  world: World,
  process: SimulatedProcess,
  { placed, kind, cost, isCopy }: Ending,
): Promise<void> {
  const details = detailsAt(process.now());
  const outcome =
    kind === 'release'
      ? await process.ledger.release(placed, details)
      : await process.ledger.settle(placed, { amount: cost, details });
  world.note(() => `${process.name} ${outcome.status} ${placed.requestId}: ${outcome.charged}`);
  count(world, outcome.status);
  world.auditor.settled(placed.requestId, { ...outcome, isCopy });
}

function detailsAt(nowMs: number): ChargeDetails {
  return {
    route: '/v1/responses',
    modelRequested: 'model',
    model: 'model',
    deployment: 'deployment',
    provider: 'openai',
    usage: { input_tokens: 1 },
    reasoningTokens: 0,
    prices: {},
    estimated: false,
    status: 'completed',
    metadata: {},
    startedAtMs: nowMs,
    finishedAtMs: nowMs,
  };
}

/** A UUIDv7 of a caller's own making. */
export function mintId(world: World, nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  const noise = Buffer.from(world.random.bytes(10)).toString('hex');
  const parts = [time.slice(0, 8), time.slice(8), `7${noise.slice(0, 3)}`, `8${noise.slice(3, 6)}`];
  return [...parts, noise.slice(6, 18)].join('-');
}
