import type { ChatCompletionRequest } from '../api/chat-request.ts';
import { invalidRequest } from '../api/error.ts';
import { effectiveOutputCap } from '../api/output-cap.ts';
import type { ReasoningIntent } from '../api/reasoning.ts';
import type { ResponsesRequest } from '../api/responses-request.ts';
import type { Deployment, Family } from '../catalog/types.ts';
import { hasCacheMarker } from './check-cache.ts';

type AnyRequest = ChatCompletionRequest | ResponsesRequest;

/** What to do about a field of the other family, by the family that the request goes to. */
const OTHER_FAMILYS_FIELDS: Readonly<Record<Family, Readonly<Record<string, string>>>> = {
  openai: {
    top_k: 'leave it out',
    stop_sequences: 'leave it out, or use stop on POST /v1/chat/completions',
    cache_control: 'leave it out, or use prompt_cache_key',
    task_budget: 'leave it out',
    context_management: 'leave it out',
    inference_geo: 'leave it out',
    speed: 'leave it out',
    mcp_servers: 'leave it out, or use an mcp tool on POST /v1/responses',
  },
  anthropic: {
    frequency_penalty: 'leave it out',
    presence_penalty: 'leave it out',
    logit_bias: 'leave it out',
    logprobs: 'leave it out',
    top_logprobs: 'leave it out',
    include: 'leave it out',
    prompt_cache_key: 'leave it out, or use cache_control',
    prompt_cache_retention: 'leave it out, or use the ttl of cache_control',
  },
};

/** Refuses fields of the other family and pairs that the family does not take together. Throws a 400. */
export function checkFamilyFields(request: AnyRequest, deployment: Deployment): void {
  for (const [field, remedy] of Object.entries(OTHER_FAMILYS_FIELDS[deployment.family])) {
    if (Object.hasOwn(request, field)) {
      throw invalidRequest(`${field} is not taken by model ${deployment.model}; ${remedy}`);
    }
  }
  if (
    deployment.family === 'anthropic' &&
    request.temperature !== undefined &&
    request.top_p !== undefined
  ) {
    throw invalidRequest(
      `temperature and top_p are not taken together by model ${deployment.model}; send only one`,
    );
  }
}

/** The name under which the request gave its output cap. */
function outputCapField(request: AnyRequest): string {
  if (!('messages' in request)) return 'max_output_tokens';
  return request.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens';
}

/** An output cap within what the model can write; zero only to warm a cache (part 8). Throws a 400. */
export function checkOutputCap(
  request: AnyRequest,
  intent: ReasoningIntent,
  deployment: Deployment,
): void {
  const cap = effectiveOutputCap(request);
  if (cap === undefined) return;
  const field = outputCapField(request);
  if (cap > deployment.maxOutput) {
    throw invalidRequest(
      `${field} is ${cap}, but model ${deployment.model} writes at most ${deployment.maxOutput} tokens; lower it`,
    );
  }
  if (cap > 0) return;
  const obstacle = prewarmObstacle(request, intent, deployment);
  if (obstacle) {
    throw invalidRequest(`${field} may be 0 only to warm a prompt cache: ${obstacle}`);
  }
}

/** What keeps a request with an output cap of zero from being a mere warming of the prompt cache. */
function prewarmObstacle(
  request: AnyRequest,
  intent: ReasoningIntent,
  { family, model }: Deployment,
): string | undefined {
  if (family !== 'anthropic') return `model ${model} does not take that; send at least 1`;
  if (!hasCacheMarker(request)) return 'add a cache_control marker or send at least 1';
  if (request.stream) return 'leave stream out';
  if (asksForReasoning(intent)) return 'leave reasoning out';
  if (request.tool_choice === 'required' || typeof request.tool_choice === 'object') {
    return 'leave tool_choice out';
  }
  return asksForStructure(request) ? 'leave the structured output format out' : undefined;
}

function asksForReasoning({ enabled, effort, maxTokens }: ReasoningIntent): boolean {
  return enabled === true || maxTokens !== undefined || (effort !== undefined && effort !== 'none');
}

function asksForStructure(request: AnyRequest): boolean {
  const format = 'messages' in request ? request.response_format : request.text?.format;
  return format !== undefined && format.type !== 'text';
}

/** Structured output only where the model can be held to it. Throws a 400. */
export function checkOutputFormat(
  path: 'response_format' | 'text.format',
  type: string | undefined,
  { model, capabilities }: Deployment,
): void {
  if (type !== 'json_schema' || capabilities.structuredOutputs) return;
  throw invalidRequest(
    `${path} of type "json_schema" is not taken by model ${model}; leave it out`,
  );
}

/** Function and custom tools only where the model takes them. Throws a 400. */
export function checkToolKinds(
  tools: readonly { readonly type: string }[] | undefined,
  deployment: Deployment,
): void {
  const { functionCalling, customTools } = deployment.capabilities;
  tools?.forEach(({ type }, index) => {
    if (type === 'custom' && !customTools) {
      throw invalidRequest(
        `tools[${index}].type "custom" is not taken by model ${deployment.model}; use function tools`,
      );
    }
    if (type === 'function' && !functionCalling) {
      throw invalidRequest(
        `tools are not taken by model ${deployment.model}; leave tools[${index}] out`,
      );
    }
  });
}

/** Refuses a preference of text verbosity where the model has none. Throws a 400. */
export function checkVerbosity(
  path: 'verbosity' | 'text.verbosity',
  verbosity: string | undefined,
  deployment: Deployment,
): void {
  if (verbosity === undefined || deployment.capabilities.verbosity) return;
  throw invalidRequest(`${path} is not taken by model ${deployment.model}; leave it out`);
}
