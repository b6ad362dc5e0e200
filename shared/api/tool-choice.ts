import { invalidRequest } from './error.ts';
import { quoted } from './quoted.ts';
import type { ChatTool, ChatToolChoice, ResponsesTool, ResponsesToolChoice } from './tools.ts';

/** Refuses to force a tool where there is none. Throws a 400. */
function checkRequired(choice: unknown, tools: readonly unknown[]): void {
  if (choice === 'required' && tools.length === 0) {
    throw invalidRequest('tool_choice is "required" but tools is empty; declare a tool');
  }
}

function undeclared(path: string, name: string): Error {
  return invalidRequest(`${path} names ${quoted(name)}, which tools does not declare; declare it`);
}

/** Checks that a chat request's choice names a declared tool (2.4). Throws a 400. */
export function checkChatToolChoice(
  choice: ChatToolChoice | undefined,
  tools: readonly ChatTool[],
  hasHostedSearch: boolean,
): void {
  if (!hasHostedSearch) checkRequired(choice, tools);
  if (choice === undefined || typeof choice === 'string') return;
  if (choice.type === 'function') {
    const { name } = choice.function;
    const declared = tools.some((tool) => tool.type === 'function' && tool.function.name === name);
    if (!declared) throw undeclared('tool_choice.function.name', name);
    return;
  }
  const { name } = choice.custom;
  const declared = tools.some((tool) => tool.type === 'custom' && tool.custom.name === name);
  if (!declared) throw undeclared('tool_choice.custom.name', name);
}

function isChosen(tool: ResponsesTool, choice: Exclude<ResponsesToolChoice, string>): boolean {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return tool.type === choice.type && tool.name === choice.name;
    case 'mcp':
      return tool.type === 'mcp' && tool.server_label === choice.server_label;
    default:
      return tool.type === choice.type;
  }
}

/** Checks that a responses request's choice names a declared tool (2.7). Throws a 400. */
export function checkResponsesToolChoice(
  choice: ResponsesToolChoice | undefined,
  tools: readonly ResponsesTool[],
): void {
  checkRequired(choice, tools);
  if (choice === undefined || typeof choice === 'string') return;
  if (tools.some((tool) => isChosen(tool, choice))) return;
  if (choice.type === 'mcp') throw undeclared('tool_choice.server_label', choice.server_label);
  if (choice.type === 'function' || choice.type === 'custom') {
    throw undeclared('tool_choice.name', choice.name);
  }
  throw undeclared('tool_choice.type', choice.type);
}
