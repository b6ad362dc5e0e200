import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Deployment } from '../../catalog/types.ts';
import type { HostedToolPlan } from '../../pricing/hold-plan.ts';
import type { CallMeter, ProviderReport, Usage } from '../../pricing/usage.ts';

/** Token counts of one answer, each token under one meter. */
export interface TokenCount {
  readonly usage: Usage;
  readonly reasoningTokens: number;
}

interface UsageFields {
  readonly input: string;
  readonly inputDetails: string;
  readonly output: string;
  readonly outputDetails: string;
}

const CHAT_FIELDS: UsageFields = {
  input: 'prompt_tokens',
  inputDetails: 'prompt_tokens_details',
  output: 'completion_tokens',
  outputDetails: 'completion_tokens_details',
};
const RESPONSES_FIELDS: UsageFields = {
  input: 'input_tokens',
  inputDetails: 'input_tokens_details',
  output: 'output_tokens',
  outputDetails: 'output_tokens_details',
};

/** Reads a chat completion's `usage`. Undefined where its counts are missing or no whole numbers. */
export function readChatUsage(
  usage: JsonValue | undefined,
  deployment: Deployment,
): TokenCount | undefined {
  return readUsage(usage, CHAT_FIELDS, deployment);
}

/** Reads a response's `usage`. Undefined where its counts are missing or no whole numbers. */
export function readResponsesUsage(
  usage: JsonValue | undefined,
  deployment: Deployment,
): TokenCount | undefined {
  return readUsage(usage, RESPONSES_FIELDS, deployment);
}

/** The provider's input count includes cache reads and writes; the meters do not overlap. */
function readUsage(
  usage: JsonValue | undefined,
  fields: UsageFields,
  { prices }: Deployment,
): TokenCount | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = tokens(usage[fields.input]);
  const output = tokens(usage[fields.output]);
  if (input === undefined || output === undefined) return undefined;
  const details = usage[fields.inputDetails];
  // What the catalog has no price of its own for is priced as plain input.
  const cached = prices.cached_input_tokens ? detail(details, 'cached_tokens', input) : 0;
  const written = prices.cache_write_input_tokens
    ? detail(details, 'cache_write_tokens', input - cached)
    : 0;
  return {
    usage: {
      input_tokens: input - cached - written,
      ...(cached > 0 && { cached_input_tokens: cached }),
      ...(written > 0 && { cache_write_input_tokens: written }),
      output_tokens: output,
    },
    reasoningTokens: detail(usage[fields.outputDetails], 'reasoning_tokens', output),
  };
}

function tokens(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A part of a count can never be more than the count. */
function detail(details: JsonValue | undefined, name: string, limit: number): number {
  const count = isJsonObject(details) ? tokens(details[name]) : undefined;
  return Math.min(count ?? 0, limit);
}

/** Adds the hosted calls that the provider ran to its token counts. */
export function withCalls(
  count: TokenCount | undefined,
  meter: CallMeter | undefined,
  calls: number,
): Usage | undefined {
  if (count === undefined) return undefined;
  return meter === undefined || calls === 0 ? count.usage : { ...count.usage, [meter]: calls };
}

/** The one meter that a family A request's hosted calls are priced by; undefined: it has none. */
export function plannedCallMeter(plan: HostedToolPlan): CallMeter | undefined {
  // The keys of a partial record of meters are meters.
  const [meter] = Object.keys(plan.callCaps) as CallMeter[];
  return meter;
}

/** Counts completed `web_search_call` items, each once however often its ID appears. */
export function countSearch(seen: Set<string>, item: JsonValue | undefined): void {
  if (!isJsonObject(item) || item.type !== 'web_search_call' || item.status !== 'completed') return;
  seen.add(typeof item.id === 'string' ? item.id : `without ID ${seen.size}`);
}

/** The tier that the answer says it was served on. */
export function executedTier(answer: JsonObject): ProviderReport['executed'] {
  const tier = answer.service_tier;
  return typeof tier === 'string' ? { serviceTier: tier } : {};
}
