import type {
  BetaToolChoice,
  BetaToolUnion,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { invalidRequest } from '../../api/error.ts';
import { type ChatToolChoice, type ResponsesToolChoice, WEB_FETCH_TYPES } from '../../api/tools.ts';

export interface ToolChoiceRequest {
  readonly choice: ChatToolChoice | ResponsesToolChoice | undefined;
  readonly parallel: boolean | undefined;
  readonly tools: readonly BetaToolUnion[];
}

/**
 * The provider's `tool_choice`; undefined where its default says the same, or where without tools
 * there is nothing to choose. Throws a 400 where the provider cannot force what is chosen.
 */
export function toolChoice(request: ToolChoiceRequest): BetaToolChoice | undefined {
  const { choice, parallel, tools } = request;
  if (tools.length === 0) return undefined;
  if (choice === 'none') return { type: 'none' };
  const oneAtATime = parallel === false && { disable_parallel_tool_use: true };
  if (choice === undefined) return oneAtATime ? { type: 'auto', ...oneAtATime } : undefined;
  if (choice === 'auto') return { type: 'auto', ...oneAtATime };
  if (choice === 'required') return { type: 'any', ...oneAtATime };
  return { type: 'tool', name: chosenName(choice), ...oneAtATime };
}

function chosenName(choice: Exclude<ChatToolChoice | ResponsesToolChoice, string>): string {
  switch (choice.type) {
    case 'function':
      return 'function' in choice ? choice.function.name : choice.name;
    case 'custom':
    case 'mcp':
      throw invalidRequest(
        `tool_choice.type "${choice.type}" cannot be forced on this model; use "required" or a function`,
      );
    default:
      return WEB_FETCH_TYPES.some((type) => type === choice.type) ? 'web_fetch' : 'web_search';
  }
}
