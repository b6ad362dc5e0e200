import * as z from 'zod/mini';
import { cacheControl, openObject, rule } from './common-fields.ts';

const text = z.exactOptional(z.string());
const inputText = z.strictObject({
  type: z.literal('input_text'),
  text: z.string(),
  cache_control: z.exactOptional(cacheControl),
});
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.exactOptional(z.array(openObject)),
  logprobs: z.exactOptional(z.array(openObject)),
  cache_control: z.exactOptional(cacheControl),
});
const refusalPart = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const summaryText = z.strictObject({ type: z.literal('summary_text'), text: z.string() });
const reasoningText = z.strictObject({ type: z.literal('reasoning_text'), text: z.string() });

export const messagePart = z.discriminatedUnion('type', [inputText, outputText, refusalPart]);
export type MessagePart = z.output<typeof messagePart>;

/** Keys that providers put on the calls that they hand out, taken back as they stand. */
const callFields = {
  id: text,
  status: text,
  call_id: z.string(),
  name: z.string(),
  namespace: text,
  caller: z.exactOptional(openObject),
  async: z.exactOptional(z.boolean()),
};
const outputFields = {
  id: text,
  status: text,
  call_id: z.string(),
  /** Any JSON value (2.8): text, text parts, or data. Never images, audio or files. */
  output: z
    .unknown()
    .check(
      rule((output) => (output === undefined ? "is required; send the tool's result" : undefined)),
    ),
  name: text,
  caller: z.exactOptional(openObject),
};
const mcpFields = { id: text, status: text, server_label: z.string() };

const messageItem = z.strictObject({
  type: z.literal('message'),
  id: text,
  status: text,
  role: z.enum(['assistant', 'user', 'system', 'developer']),
  content: z.union([z.string(), z.array(messagePart)]),
  phase: text,
});
export type MessageItem = z.output<typeof messageItem>;

const reasoningItem = z.strictObject({
  type: z.literal('reasoning'),
  id: text,
  status: text,
  summary: z.exactOptional(z.array(summaryText)),
  content: z.exactOptional(z.array(reasoningText)),
  encrypted_content: text,
});
export type ReasoningItem = z.output<typeof reasoningItem>;

/** Part 2.8. A message without a type and the `refusal` item are brought into the form `message`. */
export const inputItem = z.discriminatedUnion('type', [
  messageItem,
  reasoningItem,
  z.strictObject({ type: z.literal('function_call'), ...callFields, arguments: z.string() }),
  z.strictObject({ type: z.literal('function_call_output'), ...outputFields }),
  z.strictObject({ type: z.literal('custom_tool_call'), ...callFields, input: z.string() }),
  z.strictObject({ type: z.literal('custom_tool_call_output'), ...outputFields }),
  z.strictObject({
    type: z.literal('web_search_call'),
    id: text,
    status: text,
    action: z.exactOptional(openObject),
  }),
  z.strictObject({
    type: z.literal('mcp_call'),
    ...mcpFields,
    name: z.string(),
    arguments: z.string(),
    approval_request_id: text,
    error: z.exactOptional(z.unknown()),
    output: text,
  }),
  z.strictObject({
    type: z.literal('mcp_list_tools'),
    ...mcpFields,
    tools: z.array(openObject),
    error: z.exactOptional(z.unknown()),
  }),
  z.strictObject({
    type: z.literal('mcp_approval_request'),
    ...mcpFields,
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({
    type: z.enum(['mcp_approval_responses', 'mcp_approval_response']),
    id: text,
    approval_request_id: z.string(),
    approve: z.boolean(),
    reason: text,
  }),
]);
export type InputItem = z.output<typeof inputItem>;
