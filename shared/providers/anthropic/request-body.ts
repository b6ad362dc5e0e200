import type {
  BetaJSONOutputFormat,
  BetaOutputConfig,
  BetaTokenTaskBudget,
  MessageCreateParams,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ChatCompletionRequest } from '../../api/chat-request.ts';
import { invalidRequest } from '../../api/error.ts';
import type { JsonObject } from '../../api/json.ts';
import { effectiveOutputCap } from '../../api/output-cap.ts';
import type { ReasoningIntent } from '../../api/reasoning.ts';
import type { ResponsesRequest } from '../../api/responses-request.ts';
import type { TranslationTarget, UpstreamRequest } from '../contract.ts';
import { checkCacheMarkers } from './cache-control.ts';
import type { Conversation } from './conversation.ts';
import { requestHeaders } from './headers.ts';
import { thinkingSetup } from './thinking.ts';
import { toolChoice } from './tool-choice.ts';
import type { ToolSetup } from './tools.ts';

/** What the two routes say each in its own way, translated. */
export interface TranslatedParts {
  readonly conversation: Conversation;
  readonly toolSetup: ToolSetup;
  readonly reasoning: ReasoningIntent;
  readonly format: BetaJSONOutputFormat | undefined;
  readonly stopSequences: readonly string[] | undefined;
}

/** The complete request to the Messages API. The order of the body's keys is always the same. */
export function assembleRequest(
  request: ChatCompletionRequest | ResponsesRequest,
  target: TranslationTarget,
  parts: TranslatedParts,
): UpstreamRequest {
  const { deployment } = target;
  const { conversation, toolSetup } = parts;
  const maxTokens = effectiveOutputCap(request) ?? deployment.maxOutput;
  const { thinking, effort } = thinkingSetup(parts.reasoning, deployment, maxTokens);
  const choice = toolChoice({
    choice: request.tool_choice,
    parallel: request.parallel_tool_calls,
    tools: toolSetup.tools,
  });
  const body: MessageCreateParams = {
    model: deployment.upstream.model,
    max_tokens: maxTokens,
    ...(conversation.system.length > 0 && { system: [...conversation.system] }),
    messages: [...conversation.messages],
    ...(toolSetup.tools.length > 0 && { tools: [...toolSetup.tools] }),
    ...(choice && { tool_choice: choice }),
    ...(toolSetup.mcpServers.length > 0 && { mcp_servers: [...toolSetup.mcpServers] }),
    ...(thinking && { thinking }),
    ...outputConfig(effort, parts.format, request.task_budget),
    ...(request.context_management && { context_management: request.context_management }),
    ...(request.cache_control && { cache_control: request.cache_control }),
    ...samplingFields(request, parts.stopSequences),
    ...deploymentFields(request, target),
    metadata: { user_id: target.identity },
    ...(request.stream === true && { stream: true }),
  };
  checkForcedTool(body);
  checkCacheMarkers({
    tools: toolSetup.tools,
    system: conversation.system,
    messages: conversation.messages,
    automatic: request.cache_control,
  });
  // The cast: the SDK's interfaces describe JSON, but interfaces have no index signature.
  return { api: 'messages', headers: requestHeaders(body), body: body as unknown as JsonObject };
}

function outputConfig(
  effort: BetaOutputConfig['effort'],
  format: BetaJSONOutputFormat | undefined,
  taskBudget: Readonly<Record<string, unknown>> | undefined,
): { output_config?: BetaOutputConfig } {
  const config: BetaOutputConfig = {
    ...(effort !== undefined && { effort }),
    ...(format && { format }),
    // The cast: an open object (2.4), forwarded as the client wrote it.
    ...(taskBudget && { task_budget: taskBudget as unknown as BetaTokenTaskBudget }),
  };
  return Object.keys(config).length === 0 ? {} : { output_config: config };
}

function samplingFields(
  request: ChatCompletionRequest | ResponsesRequest,
  stopSequences: readonly string[] | undefined,
) {
  const { temperature, top_p, top_k } = request;
  return {
    ...(stopSequences && stopSequences.length > 0 && { stop_sequences: [...stopSequences] }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(top_k !== undefined && { top_k }),
  };
}

/** What the selected deployment stands for. Normal speed goes unsaid: some models refuse the field. */
function deploymentFields(
  request: ChatCompletionRequest | ResponsesRequest,
  { deployment }: TranslationTarget,
): Pick<MessageCreateParams, 'inference_geo' | 'speed' | 'service_tier'> {
  const { inferenceGeo, speed, serviceTier } = deployment.upstream;
  const tier = request.service_tier ?? serviceTier;
  return {
    ...(inferenceGeo && { inference_geo: inferenceGeo }),
    ...(speed === 'fast' && { speed }),
    service_tier: tier === 'auto' || tier === 'priority' ? 'auto' : 'standard_only',
  };
}

/** The provider does not force a tool while the model thinks. */
function checkForcedTool({ thinking, tool_choice }: MessageCreateParams): void {
  const isForced = tool_choice?.type === 'any' || tool_choice?.type === 'tool';
  if (isForced && (thinking?.type === 'adaptive' || thinking?.type === 'enabled')) {
    throw invalidRequest(
      'tool_choice cannot force a tool while reasoning is on; use "auto" or switch reasoning off',
    );
  }
}
