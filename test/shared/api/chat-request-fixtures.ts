import { parseChatRequest } from '../../../shared/api/chat-request.ts';
import { refusalMessage } from '../../support/refusal-message.ts';

export const MESSAGES = [{ role: 'user', content: 'Hello' }];
/** The smallest request. */
export const MINIMAL = { model: 'gpt-5.6', messages: MESSAGES };
export const FUNCTION_TOOL = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object' } },
};
export const MCP_SERVER = { type: 'url', url: 'https://mcp.example/sse', name: 'files' };
export const MCP_TOOLSET = { type: 'mcp_toolset', mcp_server_name: 'files' };

/** Reads the smallest request with these fields. */
export function parse(fields: Record<string, unknown>) {
  return parseChatRequest({ ...MINIMAL, ...fields });
}

/** What is said of the smallest request with these fields. */
export function refusal(fields: Record<string, unknown>): string {
  return refusalMessage(() => parse(fields));
}

/** One more message after the smallest request's. */
export function withMessage(message: unknown) {
  return { messages: [...MESSAGES, message] };
}

/** An assistant's turn that makes these calls. */
export function assistant(toolCalls: unknown[]) {
  return { role: 'assistant', content: null, tool_calls: toolCalls };
}
