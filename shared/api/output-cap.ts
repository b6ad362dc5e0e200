import type { ChatCompletionRequest } from './chat-request.ts';
import type { ResponsesRequest } from './responses-request.ts';

/** The cap on output tokens that a request sets; undefined: none. Zero only warms a prompt cache. */
export function effectiveOutputCap(
  request: ChatCompletionRequest | ResponsesRequest,
): number | undefined {
  if ('messages' in request) return request.max_completion_tokens ?? request.max_tokens;
  return request.max_output_tokens;
}
