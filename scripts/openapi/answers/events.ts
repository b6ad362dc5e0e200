import * as z from 'zod';
import {
  annotation,
  otherThan,
  outputItem,
  outputText,
  reasoningPart,
  refusalPart,
  summaryPart,
} from './items.ts';
import { count, openObject, relayed } from './relayed.ts';
import { response } from './response.ts';

const logprobs = z
  .array(openObject)
  .optional()
  .describe('Log probabilities, where they were asked for.');
const inItem = {
  item_id: z.string().min(1).describe('ID of the item that it belongs to.'),
  output_index: count.describe('Place of the item in `output`.'),
};
const inContent = { ...inItem, content_index: count.describe('Place of the part in the item.') };
const inSummary = {
  ...inItem,
  summary_index: count.describe('Place of the part in the summary.'),
};
const more = (what: string) => ({ delta: z.string().describe(`More ${what}, to be appended.`) });
const item = {
  output_index: count.describe('Place of the item in `output`.'),
  item: outputItem.describe('The item as it stands.'),
};
const state = { response: response.describe('The response as it stands.') };
const contentPart = z.union([
  outputText,
  refusalPart,
  reasoningPart,
  otherThan(['output_text', 'refusal', 'reasoning_text']),
]);
const part = { part: contentPart.describe('The part as it stands.') };
const summary = { part: summaryPart.describe('The part as it stands.') };
const wholeText = { text: z.string().describe('The whole text.') };
const wholeArguments = { arguments: z.string().describe('The whole arguments as a JSON text.') };

interface EventForm {
  readonly about: string;
  readonly fields: z.core.$ZodLooseShape;
}

/** What a stream of the responses route consists of (6.4), by type. */
const FORMS: Readonly<Record<string, EventForm>> = {
  'response.created': {
    about: 'The first event: the response has begun, its output is empty.',
    fields: state,
  },
  'response.queued': { about: 'The provider has queued the response.', fields: state },
  'response.in_progress': { about: 'The model is at work.', fields: state },
  'response.completed': {
    about: 'The last event of an answer that is whole, with its usage.',
    fields: state,
  },
  'response.incomplete': {
    about: 'The last event of an answer that was cut short; `incomplete_details` says why.',
    fields: state,
  },
  'response.failed': {
    about: 'The last event of an answer that broke off; `error` says why.',
    fields: state,
  },
  'response.output_item.added': { about: 'An item begins.', fields: item },
  'response.output_item.done': {
    about: 'An item is whole, or ends with the answer.',
    fields: item,
  },
  'response.content_part.added': {
    about: 'A part of an item begins.',
    fields: { ...inContent, ...part },
  },
  'response.content_part.done': {
    about: 'A part of an item is whole.',
    fields: { ...inContent, ...part },
  },
  'response.output_text.delta': {
    about: 'More text of the answer.',
    fields: { ...inContent, ...more('text'), logprobs },
  },
  'response.output_text.done': {
    about: 'A text is whole.',
    fields: { ...inContent, ...wholeText, logprobs },
  },
  'response.output_text.annotation.added': {
    about: 'A source of the text.',
    fields: {
      ...inContent,
      annotation_index: count.describe('Place among the annotations of the part.'),
      annotation: annotation.describe('The source.'),
    },
  },
  'response.refusal.delta': {
    about: 'More of a refusal.',
    fields: { ...inContent, ...more('text') },
  },
  'response.refusal.done': {
    about: 'A refusal is whole.',
    fields: { ...inContent, refusal: z.string().describe('The whole text.') },
  },
  'response.reasoning_text.delta': {
    about: 'More of the reasoning.',
    fields: { ...inContent, ...more('text') },
  },
  'response.reasoning_text.done': {
    about: 'A text of the reasoning is whole.',
    fields: { ...inContent, ...wholeText },
  },
  'response.reasoning_summary_part.added': {
    about: 'A part of the summary of the reasoning begins.',
    fields: { ...inSummary, ...summary },
  },
  'response.reasoning_summary_part.done': {
    about: 'A part of the summary is whole.',
    fields: { ...inSummary, ...summary },
  },
  'response.reasoning_summary_text.delta': {
    about: 'More of the summary.',
    fields: { ...inSummary, ...more('text') },
  },
  'response.reasoning_summary_text.done': {
    about: 'A text of the summary is whole.',
    fields: { ...inSummary, ...wholeText },
  },
  'response.function_call_arguments.delta': {
    about: 'More arguments of a function call.',
    fields: { ...inItem, ...more('arguments') },
  },
  'response.function_call_arguments.done': {
    about: 'The arguments of a function call are whole.',
    fields: {
      ...inItem,
      name: z.string().optional().describe('Name of the function, where the provider repeats it.'),
      ...wholeArguments,
    },
  },
  'response.custom_tool_call_input.delta': {
    about: 'More input of a custom tool call.',
    fields: { ...inItem, ...more('input') },
  },
  'response.custom_tool_call_input.done': {
    about: 'The input of a custom tool call is whole.',
    fields: { ...inItem, input: z.string().describe('The whole input.') },
  },
  'response.web_search_call.in_progress': {
    about: 'The provider begins a search.',
    fields: inItem,
  },
  'response.web_search_call.searching': { about: 'The provider searches.', fields: inItem },
  'response.web_search_call.completed': { about: 'The search is done.', fields: inItem },
  'response.mcp_call.in_progress': {
    about: 'The provider begins a call of an MCP server.',
    fields: inItem,
  },
  'response.mcp_call_arguments.delta': {
    about: 'More arguments of an MCP call.',
    fields: { ...inItem, ...more('arguments') },
  },
  'response.mcp_call_arguments.done': {
    about: 'The arguments of an MCP call are whole.',
    fields: { ...inItem, ...wholeArguments },
  },
  'response.mcp_call.completed': { about: 'An MCP call is done.', fields: inItem },
  'response.mcp_call.failed': { about: 'An MCP call failed; the item says why.', fields: inItem },
  'response.mcp_list_tools.in_progress': {
    about: 'The provider asks an MCP server for its tools.',
    fields: inItem,
  },
  'response.mcp_list_tools.completed': {
    about: 'The tools of an MCP server are there.',
    fields: inItem,
  },
  'response.mcp_list_tools.failed': {
    about: 'The tools of an MCP server could not be had.',
    fields: inItem,
  },
};

const sequence = {
  sequence_number: count.describe('Place of the event in the stream, from 0 and without a gap.'),
};

/** `response.output_text.delta` to `ResponseOutputTextDeltaEvent`. */
function eventName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function eventSchema([type, { about, fields }]: [string, EventForm]) {
  const kind = z.literal(type).describe(`Always \`${type}\`.`);
  return relayed({ type: kind, ...sequence, ...fields }).meta({ title: type, description: about });
}

/** A schema for each known event, by the name of its component. */
export const EVENTS = Object.fromEntries(
  Object.entries(FORMS).map((entry) => [eventName(entry[0]), eventSchema(entry)]),
);

/** An event of none of the known types. */
export const otherEvent = otherThan(Object.keys(FORMS), sequence).meta({
  title: 'Other event',
  description:
    'An event of a type that the provider added. It passes through as it came. Skip what you do not know.',
});

/** One frame of the responses route (6.4). */
export const streamEvent = z.union([...Object.values(EVENTS), otherEvent]).meta({
  title: 'Response stream event',
  description:
    'One frame of a streamed response. Exactly one of `response.completed`, `response.incomplete` and `response.failed` comes, as the last.',
});
