import { isJsonObject, type JsonObject } from '../../../shared/api/json.ts';
import { objectsIn, textIn } from './json-parts.ts';
import { ProviderRefusal } from './refusal.ts';
import { signThinking } from './thinking-signature.ts';

/** Refuses conversations that Anthropic's messages API refuses: turns, tool results, thinking. */
export function checkConversation(messages: readonly JsonObject[]): void {
  if (messages.length === 0) {
    throw new ProviderRefusal('messages: at least one message is required');
  }
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`;
    checkTurn(message, messages[index + 1], path);
    checkResults(message, open, path);
    open = new Set(blocksOf(message, 'tool_use').map(({ id }) => textIn(id)));
  }
  if (open.size > 0) refuseUnanswered(open, 'messages');
  checkLast(messages.at(-1));
}

function blocksOf(message: JsonObject, type: string): JsonObject[] {
  return objectsIn(message.content).filter((block) => block.type === type);
}

function checkTurn(message: JsonObject, next: JsonObject | undefined, path: string): void {
  const { role, content } = message;
  const inPlace = role === 'system' && (next === undefined || next.role === 'assistant');
  if (role !== 'user' && role !== 'assistant' && !inPlace) {
    throw new ProviderRefusal(`${path}.role: Input should be 'user' or 'assistant'`);
  }
  if (content === '' || (Array.isArray(content) && content.length === 0)) {
    throw new ProviderRefusal(`${path}: all messages must have non-empty content`);
  }
  for (const { text } of blocksOf(message, 'text')) {
    if (textIn(text).trim() === '') {
      throw new ProviderRefusal('messages: text content blocks must contain non-whitespace text');
    }
  }
  for (const { input } of blocksOf(message, 'tool_use')) {
    if (!isJsonObject(input)) {
      throw new ProviderRefusal(`${path}.content.tool_use.input: Input should be an object`);
    }
  }
  checkThinkingBlocks(message, path);
}

/** Thinking comes back as it was given, signature and all. */
function checkThinkingBlocks(message: JsonObject, path: string): void {
  for (const { thinking, signature } of blocksOf(message, 'thinking')) {
    if (signature !== signThinking(textIn(thinking))) {
      throw new ProviderRefusal(`${path}: Invalid \`signature\` in \`thinking\` block`);
    }
  }
}

/** All results of a turn's calls stand together at the beginning of the very next message. */
function checkResults(message: JsonObject, open: Set<string>, path: string): void {
  const blocks = objectsIn(message.content);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  for (const { tool_use_id } of results) {
    if (open.delete(textIn(tool_use_id))) continue;
    throw new ProviderRefusal(
      `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textIn(tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
  if (open.size > 0) refuseUnanswered(open, path);
  if (results.some((result, index) => blocks[index] !== result)) {
    throw new ProviderRefusal(`${path}: \`tool_result\` blocks must come first in their message`);
  }
}

function refuseUnanswered(open: ReadonlySet<string>, path: string): never {
  throw new ProviderRefusal(
    `${path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}`,
  );
}

function checkLast(message: JsonObject | undefined): void {
  if (message?.role !== 'assistant') return;
  const last = objectsIn(message.content).at(-1);
  const text = typeof message.content === 'string' ? message.content : textIn(last?.text);
  if (text !== text.trimEnd()) {
    throw new ProviderRefusal(
      'messages: final assistant content cannot end with trailing whitespace',
    );
  }
}
