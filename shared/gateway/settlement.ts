import { ERRORS, type GatewayError } from '../api/error.ts';
import { siblingsOf } from '../catalog/sibling.ts';
import { mintedAtMs } from '../ledger/request-id.ts';
import type { Charge, ChargeDetails, SettleOutcome } from '../ledger/types.ts';
import { chargeFor } from '../pricing/cost.ts';
import { estimatedUsage } from '../pricing/estimate.ts';
import { formatUsd } from '../pricing/money.ts';
import type { ProviderReport, Usage } from '../pricing/usage.ts';
import { elapsedMs, type RequestRecord } from '../telemetry/request-log.ts';
import type { Call } from './call.ts';
import type { Served } from './dispatch.ts';
import type { Candidate } from './prepare.ts';

/**
 * Charges what the provider reports, or what was seen of it, and logs the request. `answeredAtMs` is
 * when the answer began. Throws where neither the database nor the spool took the charge.
 */
export async function settleServed(
  call: Call,
  served: Served,
  answeredAtMs: number,
): Promise<void> {
  const { candidate } = served;
  const report = served.kind === 'whole' ? served.answer.report : served.translator.report();
  const nothingCame = !report.complete && !report.producedOutput;
  const charge = nothingCame
    ? { amount: 0n, details: emptyDetails(call, candidate, 'failed') }
    : chargeOf(call, candidate, report);
  const outcome = await reported(call, call.services.ledger.settle(call.hold, charge));
  reportUncollected(call, outcome);
  const { usage, estimated } = charge.details;
  call.services.telemetry.requestFinished({
    ...recordOf(call, candidate, answeredAtMs),
    upstreamMs: served.upstreamMs,
    status: 200,
    inputTokens: inputTokensOf(usage),
    outputTokens: usage.output_tokens ?? 0,
    amountUsd: formatUsd(outcome.charged),
    estimated,
  });
}

/** A charge that nothing took is lost: the hold expires, and the client pays nothing. */
async function reported(
  { services, hold }: Call,
  settling: Promise<SettleOutcome>,
): Promise<SettleOutcome> {
  try {
    return await settling;
  } catch (error) {
    services.telemetry.fault('settlement_failed', error, { requestId: hold.requestId });
    throw error;
  }
}

/** The hold was no upper bound, or the database was gone: neither may go unseen. */
function reportUncollected({ services, hold }: Call, outcome: SettleOutcome): void {
  const { status, uncollected } = outcome;
  const { requestId } = hold;
  if (status === 'spooled') {
    const error = new Error('The database did not take the charge; the sweep will bring it.');
    services.telemetry.fault('charge_spooled', error, { requestId });
  } else if (uncollected > 0n && status !== 'repeated') {
    const uncollectedUsd = formatUsd(uncollected);
    const error = new Error(`The provider's report exceeds the hold by ${uncollectedUsd} USD.`);
    services.telemetry.fault('charge_uncollected', error, { requestId, uncollectedUsd });
  }
}

interface Failure {
  /** What the client was told. */
  readonly known: GatewayError;
  readonly error: unknown;
  readonly answeredAtMs: number;
}

/** Charges nothing: the provider refused the request, or failed before any output. Throws as above. */
export async function settleFailed(
  call: Call,
  { known, error, answeredAtMs }: Failure,
): Promise<void> {
  const { ledger, telemetry } = call.services;
  const [candidate] = call.candidates;
  const status = known.code === 'invalid_request' ? 'refused' : 'failed';
  if (known !== error) {
    telemetry.fault('request_failed', error, { requestId: call.hold.requestId });
  }
  const released = ledger.release(call.hold, emptyDetails(call, candidate, status));
  reportUncollected(call, await reported(call, released));
  telemetry.requestFinished({
    ...recordOf(call, candidate, answeredAtMs),
    status: ERRORS[known.code].status,
    errorType: ERRORS[known.code].type,
  });
}

function chargeOf(call: Call, candidate: Candidate, report: ProviderReport): Charge {
  const { deployment } = candidate;
  const estimated = report.usage === undefined || !report.complete;
  const usage = (estimated ? undefined : report.usage) ?? countedUsage(candidate, report);
  const siblings = siblingsOf(call.services.catalog, deployment);
  const cost = chargeFor(report, deployment, siblings, usage);
  return {
    amount: cost.amount,
    details: {
      ...emptyDetails(call, candidate, report.complete ? 'completed' : 'interrupted'),
      usage,
      reasoningTokens: report.reasoningTokens,
      prices: cost.prices,
      estimated,
    },
  };
}

function countedUsage({ estimate }: Candidate, report: ProviderReport): Usage {
  return estimatedUsage({
    reported: report.usage,
    requestTokens: estimate.requestTokens,
    relayedOutputTokens: report.relayedOutputTokens,
  });
}

function emptyDetails(
  call: Call,
  candidate: Candidate,
  status: ChargeDetails['status'],
): ChargeDetails {
  const { deployment } = candidate;
  return {
    route: call.route,
    modelRequested: call.modelRequested,
    model: deployment.model,
    deployment: deployment.id,
    provider: deployment.provider,
    usage: {},
    reasoningTokens: 0,
    prices: {},
    estimated: false,
    status,
    metadata: call.metadata,
    startedAtMs: call.startedAtMs,
    finishedAtMs: call.services.now(),
  };
}

function inputTokensOf(usage: Usage): number {
  let total = 0;
  for (const [meter, count] of Object.entries(usage)) {
    if (meter.endsWith('input_tokens')) total += count;
  }
  return total;
}

function recordOf(
  call: Call,
  { deployment }: Candidate,
  answeredAtMs: number,
): Omit<RequestRecord, 'status'> {
  const nowMs = call.services.now();
  return {
    requestId: call.hold.requestId,
    route: call.route,
    accountId: call.hold.accountId,
    keyId: call.hold.keyId,
    modelRequested: call.modelRequested,
    deployment: deployment.id,
    provider: deployment.provider,
    stream: call.streaming,
    firstByteMs: elapsedMs(call.receivedAtMs, answeredAtMs),
    totalMs: elapsedMs(call.receivedAtMs, nowMs),
    heldMs: elapsedMs(mintedAtMs(call.hold.requestId), nowMs),
    metadata: call.metadata,
  };
}
