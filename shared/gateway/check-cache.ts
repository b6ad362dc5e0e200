import type { ChatMessage } from '../api/chat-message.ts';
import type { ChatCompletionRequest } from '../api/chat-request.ts';
import { invalidRequest } from '../api/error.ts';
import { isJsonObject } from '../api/json.ts';
import type { ResponsesRequest } from '../api/responses-request.ts';
import type { Deployment } from '../catalog/types.ts';

function* markersOf(
  things: readonly unknown[] | string | undefined,
  path: string,
): Generator<string> {
  if (things === undefined || typeof things === 'string') return;
  for (const [index, thing] of things.entries()) {
    if (isMarked(thing)) yield `${path}[${index}].cache_control`;
  }
}

/** The schemas have checked the markers of what they know; a tool's output may hold anything. */
function isMarked(thing: unknown): boolean {
  return isJsonObject(thing) && isJsonObject(thing.cache_control);
}

function* messageMarkers(messages: readonly ChatMessage[]): Generator<string> {
  for (const [index, message] of messages.entries()) {
    yield* markersOf(message.content, `messages[${index}].content`);
  }
}

function* itemMarkers(input: ResponsesRequest['input']): Generator<string> {
  if (typeof input === 'string') return;
  for (const [index, item] of input.entries()) {
    if (item.type === 'message') yield* markersOf(item.content, `input[${index}].content`);
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      const parts = Array.isArray(item.output) ? item.output : undefined;
      yield* markersOf(parts, `input[${index}].output`);
    }
  }
}

/** Path of every cache marker of a request. */
function* cacheMarkers(request: ChatCompletionRequest | ResponsesRequest): Generator<string> {
  yield* markersOf(request.tools, 'tools');
  if ('messages' in request) {
    yield* messageMarkers(request.messages);
    if (Array.isArray(request.prediction?.content)) {
      yield* markersOf(request.prediction.content, 'prediction.content');
    }
  } else {
    yield* itemMarkers(request.input);
  }
  if (request.cache_control) yield 'cache_control';
}

/** Whether the request asks for any of its prompt to be cached. */
export function hasCacheMarker(request: ChatCompletionRequest | ResponsesRequest): boolean {
  return cacheMarkers(request).next().done === false;
}

/**
 * Cache markers belong to models with explicit caching; how many and in what order is the
 * provider's rule, judged where its request is written. Throws a 400 that names the first marker.
 */
export function checkCacheMarkers(
  request: ChatCompletionRequest | ResponsesRequest,
  { family, model, capabilities }: Deployment,
): void {
  if (family === 'anthropic' && capabilities.explicitPromptCaching) return;
  const { value: path } = cacheMarkers(request).next();
  if (path === undefined) return;
  throw invalidRequest(
    `${path} is not taken by model ${model}, which caches by itself; leave it out`,
  );
}
