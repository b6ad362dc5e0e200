import * as z from 'zod';
import { count, openObject, relayed } from './relayed.ts';

const id = (prefix: string) =>
  z.string().min(1).describe(`ID of the item: \`${prefix}\` and a unique ending.`);
const kind = <Name extends string>(name: Name) => z.literal(name).describe(`Always \`${name}\`.`);
const itemStatus = z
  .enum(['in_progress', 'completed', 'incomplete'])
  .describe('Whether the item is whole.');
const callId = z.string().describe('ID of the call. The item with its output repeats it.');

const urlCitation = relayed({
  type: kind('url_citation'),
  start_index: count.describe('Where the cited text begins, in UTF-16 units.'),
  end_index: count.describe('Where it ends.'),
  url: z.string().describe('Address of the source.'),
  title: z.string().describe('Title of the source.'),
});
/** A citation, or what else a provider annotates. */
export const annotation = z.union([urlCitation, otherThan(['url_citation'])]);

export const outputText = relayed({
  type: kind('output_text'),
  text: z.string().describe('The text.'),
  annotations: z.array(annotation).describe('Sources that the text cites.'),
  logprobs: z
    .array(openObject)
    .optional()
    .describe('Log probabilities, where they were asked for.'),
}).meta({ title: 'Output text', description: 'A text of the model.' });

export const refusalPart = relayed({
  type: kind('refusal'),
  refusal: z.string().describe('The text by which the model declined.'),
}).meta({ title: 'Output refusal', description: 'The text by which the model declined.' });

export const summaryPart = relayed({
  type: kind('summary_text'),
  text: z.string().describe('The text.'),
}).meta({ title: 'Reasoning summary', description: 'A part of the summary of the reasoning.' });

export const reasoningPart = relayed({
  type: kind('reasoning_text'),
  text: z.string().describe('The text.'),
}).meta({ title: 'Reasoning text', description: 'A part of the reasoning itself.' });

const outputMessage = relayed({
  id: id('msg_'),
  type: kind('message'),
  status: itemStatus,
  role: z.literal('assistant').describe('Always `assistant`.'),
  content: z
    .array(z.union([outputText, refusalPart, otherThan(['output_text', 'refusal'])]))
    .describe('The parts of the message.'),
  phase: z
    .string()
    .nullable()
    .optional()
    .describe('Phase of the message, where the provider says so.'),
}).meta({ title: 'Output message', description: 'What the model said.' });

const reasoningItem = relayed({
  id: id('rs_'),
  type: kind('reasoning'),
  status: itemStatus.optional(),
  summary: z.array(summaryPart).describe('The summary of the reasoning, where it was asked for.'),
  content: z
    .array(reasoningPart)
    .optional()
    .describe('The reasoning itself, where the provider gives it.'),
  encrypted_content: z
    .string()
    .nullable()
    .optional()
    .describe('The reasoning as the provider sealed it. Send it back in the next turn.'),
}).meta({ title: 'Output reasoning', description: 'How the model reasoned.' });

const functionCall = relayed({
  id: id('fc_'),
  type: kind('function_call'),
  status: itemStatus,
  arguments: z.string().describe('The arguments as a JSON text, as the model wrote it.'),
  call_id: callId,
  name: z.string().describe('Name of the function.'),
}).meta({
  title: 'Output function call',
  description: 'A call of a function, for the client to run.',
});

const customToolCall = relayed({
  id: z.string().optional().describe('ID of the item.'),
  type: kind('custom_tool_call'),
  status: itemStatus.optional(),
  call_id: callId,
  name: z.string().describe('Name of the tool.'),
  input: z.string().describe('The input as free text.'),
}).meta({
  title: 'Output custom tool call',
  description: 'A call of a custom tool, for the client to run. OpenAI and Azure models.',
});

const webSearchCall = relayed({
  id: id('ws_'),
  type: kind('web_search_call'),
  status: z
    .enum(['in_progress', 'searching', 'completed', 'failed', 'incomplete'])
    .describe('How far the search is.'),
  action: openObject
    .optional()
    .describe('What was searched or opened: `type`, `query`, `url`, `sources`.'),
}).meta({
  title: 'Output web search call',
  description: 'A search that the provider ran; priced by the call.',
});

const mcpCall = relayed({
  id: id('mcp_'),
  type: kind('mcp_call'),
  status: z
    .enum(['in_progress', 'calling', 'completed', 'failed', 'incomplete'])
    .optional()
    .describe('How far the call is.'),
  approval_request_id: z
    .string()
    .nullable()
    .optional()
    .describe('Null: calls run without approval.'),
  arguments: z.string().describe('The arguments as a JSON text.'),
  error: z.unknown().optional().describe('What went wrong; null where nothing did.'),
  name: z.string().describe('Name of the tool.'),
  output: z.string().nullable().optional().describe('What the tool gave; null until then.'),
  server_label: z.string().describe('Label of the server.'),
}).meta({
  title: 'Output MCP call',
  description: 'A call that the provider made to a remote MCP server.',
});

const mcpListTools = relayed({
  id: id('mcpl_'),
  type: kind('mcp_list_tools'),
  server_label: z.string().describe('Label of the server.'),
  tools: z.array(openObject).describe('The tools that the server offers.'),
  error: z.unknown().optional().describe('Why they could not be listed; null where they could.'),
}).meta({
  title: 'Output MCP tool list',
  description: 'The tools of a remote MCP server. OpenAI and Azure models.',
});

/** Items of types that the gateway writes or knows. */
export const KNOWN_ITEMS = {
  OutputMessage: outputMessage,
  OutputReasoning: reasoningItem,
  OutputFunctionCall: functionCall,
  OutputCustomToolCall: customToolCall,
  OutputWebSearchCall: webSearchCall,
  OutputMcpCall: mcpCall,
  OutputMcpListTools: mcpListTools,
} as const;

export const otherItem = otherThan(
  Object.values(KNOWN_ITEMS).map(({ shape }) => shape.type.value),
).meta({
  title: 'Other output item',
  description: 'An item of a type that the provider added. It passes through as it came.',
});

export const outputItem = z.union([...Object.values(KNOWN_ITEMS), otherItem]).meta({
  title: 'Output item',
  description: 'One thing that the model made. It may be sent back as it is in the next turn.',
});

/** An object of a type that none of the known schemas is for. */
export function otherThan(types: readonly string[], fields: z.core.$ZodLooseShape = {}) {
  const type = z
    .string()
    .meta({ description: "A type of the provider's own.", not: { enum: [...types] } });
  return relayed({ type, ...fields });
}
