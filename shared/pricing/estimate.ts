import { invalidRequest } from '../api/error.ts';
import type { Deployment } from '../catalog/types.ts';
import type { UpstreamRequest } from '../providers/contract.ts';
import type { HostedToolPlan } from './hold-plan.ts';
import type { NanoUsd } from './money.ts';
import { INPUT_METERS, LONG_CONTEXT_TOKENS, multiply, type PriceContext, rateOf } from './price.ts';
import { countRequestTokens, type RequestTokens } from './request-tokens.ts';
import type { Tokenizer } from './tokens.ts';
import { CALL_METERS, type Meter, type Usage } from './usage.ts';

/** A request translated for a deployment that may serve it. */
export interface HoldQuestion {
  readonly deployment: Deployment;
  readonly request: UpstreamRequest;
  /** The request's own cap on output tokens; undefined: the model's. */
  readonly outputCapTokens?: number | undefined;
  readonly plan: HostedToolPlan;
}

/** An upper bound of what a request can cost, in nano-dollars, and the tokens that make it up. */
export interface HoldEstimate {
  readonly amount: NanoUsd;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input that the request itself brings, for the charge where a provider reports no usage. */
  readonly requestTokens: number;
}

/**
 * The authorization hold of a request on one deployment. Throws an `invalid_request` GatewayError
 * where the deployment has no price for a tool that the request may run.
 */
export function estimateHold(question: HoldQuestion): HoldEstimate {
  const { deployment, request, outputCapTokens, plan } = question;
  if (!isPriced(deployment, plan)) {
    throw invalidRequest(
      'tools: a hosted tool of this request is not offered with this model here; remove it or choose another model or provider',
    );
  }
  const tokenizer: Tokenizer = deployment.family === 'anthropic' ? 'anthropic' : 'o200k';
  const counted = countRequestTokens(request.body, tokenizer, deployment.contextWindow);
  const requestTokens = Math.min(counted.input, deployment.contextWindow);
  const mostInput = plan.feedsInput ? deployment.contextWindow : requestTokens;
  const calls = priceCalls(deployment, plan);
  const bounds = splits(deployment, mostInput, outputCapTokens).map((split) => ({
    ...split,
    requestTokens,
    amount: calls + priceSplit(deployment, split, counted),
  }));
  return bounds.reduce((most, next) => (next.amount > most.amount ? next : most));
}

/**
 * The usage to charge where a stream broke or the provider reported none: input as its start
 * event gave it, else as counted from the request; output as reported, but not less than the
 * text that was relayed; hosted calls as reported. The caller flags the charge `estimated`.
 */
export function estimatedUsage(seen: {
  readonly reported: Usage | undefined;
  readonly requestTokens: number;
  readonly relayedOutputTokens: number;
}): Usage {
  const reported = seen.reported ?? {};
  const reportsInput = INPUT_METERS.some((meter) => (reported[meter] ?? 0) > 0);
  return {
    ...reported,
    ...(reportsInput ? {} : { input_tokens: seen.requestTokens }),
    output_tokens: Math.max(reported.output_tokens ?? 0, seen.relayedOutputTokens),
  };
}

/** Whether a deployment has a price for everything that the plan may call. */
function isPriced(deployment: Deployment, plan: HostedToolPlan): boolean {
  const context = { longContext: false, searchContextSize: plan.searchContextSize ?? 'medium' };
  const calls = CALL_METERS.filter((meter) => (plan.callCaps[meter] ?? 0) > 0);
  const meters: Meter[] = ['input_tokens', 'output_tokens', ...calls];
  return meters.every((meter) => rateOf(deployment, meter, context) !== undefined);
}

interface Split {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Input and output share the context window, and the input may turn out smaller than estimated,
 * which leaves more room for output. The cost is linear between these corners (all the input,
 * all the output, the first input at long-context prices), so its maximum is at one of them.
 */
function splits(deployment: Deployment, mostInput: number, cap: number | undefined): Split[] {
  const { contextWindow, maxOutput } = deployment;
  const mostOutput = Math.min(cap ?? maxOutput, contextWindow);
  const corners = [mostInput, contextWindow - mostOutput, LONG_CONTEXT_TOKENS + 1];
  return corners
    .filter((inputTokens) => inputTokens <= mostInput)
    .map((inputTokens) => ({
      inputTokens,
      outputTokens: Math.min(mostOutput, contextWindow - inputTokens),
    }));
}

function priceSplit(deployment: Deployment, split: Split, counted: RequestTokens): NanoUsd {
  const context: PriceContext = {
    longContext: split.inputTokens > LONG_CONTEXT_TOKENS,
    searchContextSize: 'medium',
  };
  // Cache writes for an hour happen only where a marker asks for them.
  const inputs = INPUT_METERS.filter(
    (meter) => counted.hourCache || meter !== 'cache_write_1h_input_tokens',
  ).map((meter) => costOf(deployment, meter, split.inputTokens, context));
  const dearest = inputs.reduce((most, next) => (next > most ? next : most), 0n);
  const output = split.outputTokens + counted.prediction;
  // Each input meter that is used rounds up once by itself.
  const roundings = BigInt(INPUT_METERS.length - 1);
  return dearest + roundings + costOf(deployment, 'output_tokens', output, context);
}

function priceCalls(deployment: Deployment, plan: HostedToolPlan): NanoUsd {
  const context = { longContext: false, searchContextSize: plan.searchContextSize ?? 'medium' };
  return CALL_METERS.reduce(
    (sum, meter) => sum + costOf(deployment, meter, plan.callCaps[meter] ?? 0, context),
    0n,
  );
}

function costOf(
  deployment: Deployment,
  meter: Meter,
  quantity: number,
  context: PriceContext,
): NanoUsd {
  const rate = rateOf(deployment, meter, context);
  return rate && quantity > 0 ? multiply(rate, BigInt(quantity)) : 0n;
}
