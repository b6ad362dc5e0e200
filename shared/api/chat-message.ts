import * as z from 'zod/mini';
import { cacheControl, openObject } from './common-fields.ts';

/** A text block of a chat message (2.5): the only content that the text-only service takes. */
export const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: z.exactOptional(cacheControl),
});

const content = z.union([z.string(), z.array(textBlock)]);
const name = z.exactOptional(z.string());

const functionToolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const customToolCall = z.strictObject({
  id: z.string(),
  type: z.literal('custom'),
  custom: z.strictObject({ name: z.string(), input: z.string() }),
});

export const toolCall = z.discriminatedUnion('type', [functionToolCall, customToolCall]);
export type ChatToolCall = z.output<typeof toolCall>;

const assistantMessage = z.strictObject({
  role: z.literal('assistant'),
  content: z.exactOptional(content),
  name,
  refusal: z.exactOptional(z.string()),
  reasoning: z.exactOptional(z.string()),
  reasoning_details: z.exactOptional(z.array(openObject)),
  annotations: z.exactOptional(z.array(openObject)),
  tool_calls: z.exactOptional(z.array(toolCall)),
});
export type AssistantMessage = z.output<typeof assistantMessage>;

const toolMessage = z.strictObject({
  role: z.literal('tool'),
  content,
  tool_call_id: z.string(),
  name,
});

/** Part 2.5, one closed object a role; what clients echo of our own answers is part of it. */
export const chatMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content, name }),
  z.strictObject({ role: z.literal('developer'), content, name }),
  z.strictObject({ role: z.literal('user'), content, name }),
  assistantMessage,
  toolMessage,
]);
export type ChatMessage = z.output<typeof chatMessage>;
