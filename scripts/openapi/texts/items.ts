import type { Texts } from '../describe.ts';
import { ANTHROPIC_ONLY, OPENAI_ONLY } from './families.ts';

const ID = 'ID of the item as it came. Nothing is stored, so it refers to nothing.';
const STATUS = 'Status of the item as it came.';
const CALLER = 'Who made the call, as it came.';
const CACHE = `Caches the prompt up to the end of this part. ${ANTHROPIC_ONLY}`;
const OUTPUT =
  'What the tool gave: a text, text parts, or any other JSON value, which becomes JSON text. Never images, audio or files.';
const MCP = {
  id: ID,
  status: STATUS,
  server_label: 'Label of the MCP server.',
};
const CALL = {
  id: ID,
  status: STATUS,
  call_id: 'ID of the call, which its output repeats.',
  name: 'Name of the tool.',
  namespace: 'Namespace of the tool, as it came.',
  caller: CALLER,
  async: 'Whether the call runs in the background, as it came.',
};
const RESULT = {
  id: ID,
  status: STATUS,
  call_id: 'ID of the call that this is the output of.',
  output: OUTPUT,
  name: 'Name of the tool.',
  caller: CALLER,
};

/** What the schemas of input items say, by the name of their component. */
export const ITEM_TEXTS: Texts = {
  InputItem: {
    title: 'Input item',
    about:
      'One item of the conversation: a message, a tool call or its output, reasoning. Output items of earlier answers may be sent back as they came, also to another model. `item_reference` is refused: the service stores no items.',
  },
  MessageInput: {
    title: 'Message',
    about: 'What somebody said. Text only.',
    fields: {
      type: '`message`; may be left out.',
      id: ID,
      status: STATUS,
      role: 'Who says it: `user`, `assistant`, `system` or `developer`.',
      content:
        'Text, or a list of parts. Images, audio and files are refused: the service is text-only.',
      phase: 'Phase of the message, as it came.',
    },
  },
  MessagePart: { title: 'Message part', about: 'A part of a message: text, or a refusal.' },
  InputTextPart: {
    title: 'Text',
    about: 'A text. Either name is taken on both sides of the conversation.',
    fields: { type: '`input_text` or `text`.', text: 'The text.', cache_control: CACHE },
  },
  OutputTextPart: {
    title: 'Output text',
    about: 'A text of the model, as it came.',
    fields: {
      type: 'Always `output_text`.',
      text: 'The text.',
      annotations: 'Sources that the text cites, as they came.',
      logprobs: 'Log probabilities of the tokens, as they came.',
      cache_control: CACHE,
    },
  },
  RefusalPart: {
    title: 'Refusal',
    about: 'The text by which the model declined.',
    fields: { type: 'Always `refusal`.', refusal: 'The text.' },
  },
  RefusalInput: {
    title: 'Refusal item',
    about: 'A refusal as an item of its own. It has `refusal` or `content`.',
    fields: {
      type: 'Always `refusal`.',
      id: ID,
      status: STATUS,
      role: 'Always `assistant`; may be left out.',
      refusal: 'The text by which the model declined, or its parts.',
      content: 'The same under another name; not read beside `refusal`.',
    },
  },
  ReasoningInput: {
    title: 'Reasoning',
    about:
      'Reasoning of an earlier answer. What a provider sealed goes back to that provider; a summary by itself says nothing to one.',
    fields: {
      type: 'Always `reasoning`.',
      id: ID,
      status: STATUS,
      summary: 'The summary, in parts.',
      'summary.type': 'Always `summary_text`.',
      'summary.text': 'The text.',
      content: 'The reasoning itself, in parts, where the provider gave it.',
      'content.type': 'Always `reasoning_text`.',
      'content.text': 'The text.',
      encrypted_content:
        'The reasoning as its provider sealed it. What another provider sealed is refused by Anthropic models.',
    },
  },
  FunctionCallInput: {
    title: 'Function call',
    about: 'A call that the model made to a function tool.',
    fields: {
      type: 'Always `function_call`.',
      ...CALL,
      arguments: 'The arguments as a JSON text. Anthropic models need a JSON object.',
    },
  },
  FunctionCallOutputInput: {
    title: 'Function call output',
    about: 'The result of a function call. Anthropic models need the call before it.',
    fields: { type: 'Always `function_call_output`.', ...RESULT },
  },
  CustomToolCallInput: {
    title: 'Custom tool call',
    about: `A call that the model made to a custom tool. ${OPENAI_ONLY}`,
    fields: { type: 'Always `custom_tool_call`.', ...CALL, input: 'The input as free text.' },
  },
  CustomToolCallOutputInput: {
    title: 'Custom tool call output',
    about: `The result of a custom tool call. ${OPENAI_ONLY}`,
    fields: { type: 'Always `custom_tool_call_output`.', ...RESULT },
  },
  WebSearchCallInput: {
    title: 'Web search call',
    about: 'A search that the provider ran, as it came. It says nothing to Anthropic models.',
    fields: {
      type: 'Always `web_search_call`.',
      id: ID,
      status: STATUS,
      action: 'What was searched or opened, as it came.',
    },
  },
  McpCallInput: {
    title: 'MCP call',
    about: 'A call that the provider made to an MCP server, with what came back.',
    fields: {
      type: 'Always `mcp_call`.',
      ...MCP,
      name: 'Name of the tool.',
      arguments: 'The arguments as a JSON text.',
      approval_request_id: 'ID of the approval request, as it came.',
      error: 'The error of a call that failed, as it came.',
      output: 'What the tool gave, as text.',
    },
  },
  McpListToolsInput: {
    title: 'MCP tool list',
    about:
      'The tools that an MCP server offered, as they came. It says nothing to Anthropic models.',
    fields: {
      type: 'Always `mcp_list_tools`.',
      ...MCP,
      tools: 'The tools.',
      error: 'The error where the tools could not be listed, as it came.',
    },
  },
  McpApprovalRequestInput: {
    title: 'MCP approval request',
    about: `A call that waited for approval. ${OPENAI_ONLY}`,
    fields: {
      type: 'Always `mcp_approval_request`.',
      ...MCP,
      name: 'Name of the tool.',
      arguments: 'The arguments as a JSON text.',
    },
  },
  McpApprovalResponseInput: {
    title: 'MCP approval response',
    about: `The answer to an approval request of the same input. ${OPENAI_ONLY}`,
    fields: {
      type: '`mcp_approval_responses` or `mcp_approval_response`.',
      id: ID,
      approval_request_id: 'ID of the `mcp_approval_request` item before it.',
      approve: 'Whether the call may run.',
      reason: 'Why, for the model to read.',
    },
  },
};
