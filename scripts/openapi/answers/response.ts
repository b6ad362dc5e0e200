import * as z from 'zod';
import { gatewayMetadata } from './common.ts';
import { outputItem } from './items.ts';
import { count, openObject, relayed, UUID_V7, unixTime } from './relayed.ts';

export const responsesUsage = relayed({
  input_tokens: count.describe('Tokens of the input, cache reads and writes included.'),
  input_tokens_details: relayed({
    cached_tokens: count.optional().describe("Tokens read from the provider's prompt cache."),
    cache_write_tokens: count.optional().describe("Tokens written to the provider's prompt cache."),
  })
    .nullable()
    .optional()
    .describe('Parts of the input.'),
  output_tokens: count.describe('Tokens of the output, reasoning included.'),
  output_tokens_details: relayed({
    reasoning_tokens: count.optional().describe('Tokens of the reasoning.'),
  })
    .nullable()
    .optional()
    .describe('Parts of the output.'),
  total_tokens: count.describe('The sum of both.'),
}).meta({ title: 'Usage (responses)', description: 'Tokens of the request, as they are charged.' });

const STATUSES = [
  'completed',
  'failed',
  'in_progress',
  'cancelled',
  'queued',
  'incomplete',
] as const;

/** What the response says of its request and of the service (2.8 `other`). */
const echo = {
  background: z.literal(false).describe('Always false: every request is answered at once.'),
  conversation: z.null().describe('Always null: the service stores nothing.'),
  include: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('As in the request, where the provider repeats it.'),
  instructions: z
    .union([z.string(), z.array(openObject)])
    .nullable()
    .describe('As in the request.'),
  max_output_tokens: count.nullable().describe('As in the request.'),
  max_tool_calls: count.nullable().describe('The cap on calls of hosted tools that was in force.'),
  metadata: z.record(z.string(), z.string()).describe('As in the request.'),
  parallel_tool_calls: z.boolean().describe('As in the request; true where it was left out.'),
  previous_response_id: z.null().describe('Always null: the service stores nothing.'),
  prompt_cache_key: z.string().nullable().describe('As in the request.'),
  reasoning: relayed({
    effort: z
      .string()
      .nullable()
      .optional()
      .describe('As in the request, or what the provider chose.'),
    summary: z
      .string()
      .nullable()
      .optional()
      .describe('As in the request, or what the provider chose.'),
  })
    .nullable()
    .describe('How the model reasoned.'),
  safety_identifier: z
    .null()
    .describe("Always null: the identity that providers see is the service's own."),
  service_tier: z.string().nullable().describe('The tier that the provider ran, where it says so.'),
  store: z.literal(false).describe('Always false: the service stores nothing.'),
  temperature: z.number().nullable().describe('As in the request, or the default.'),
  text: openObject.describe('As in the request; plain text where it was left out.'),
  tool_choice: z
    .union([z.string(), openObject])
    .describe('As in the request; `auto` where it was left out.'),
  tools: z.array(openObject).describe('As in the request, without credentials of remote servers.'),
  top_logprobs: count.nullable().describe('As in the request; 0 where it was left out.'),
  top_p: z.number().nullable().describe('As in the request, or the default.'),
  presence_penalty: z.number().nullable().describe('As in the request; 0 where it was left out.'),
  frequency_penalty: z.number().nullable().describe('As in the request; 0 where it was left out.'),
  truncation: z
    .string()
    .nullable()
    .describe('As in the request; `disabled` where it was left out.'),
  access_programs: z.unknown().optional().describe('Reserved by the provider; null.'),
};

/** Part 2.8. */
export const response = relayed({
  id: z
    .string()
    .regex(new RegExp(UUID_V7))
    .describe("The response's ID, a UUIDv7 of the gateway's."),
  object: z.literal('response').describe('Always `response`.'),
  created_at: unixTime.describe('When it was begun, as Unix time in seconds.'),
  completed_at: unixTime
    .nullable()
    .describe('When it was completed, as Unix time in seconds; null where it was not.'),
  status: z
    .enum(STATUSES)
    .describe(
      '`completed`, or `incomplete` (see `incomplete_details`). In a stream also `in_progress` at its start, and `failed` (see `error`). `cancelled` and `queued` do not occur: nothing runs in the background.',
    ),
  error: relayed({
    code: z.string().describe('`server_error`, or `invalid_prompt` where the request is to blame.'),
    message: z.string().min(1).describe('What went wrong.'),
  })
    .nullable()
    .describe('Why the response failed; null where it did not.'),
  incomplete_details: relayed({
    reason: z
      .string()
      .describe('For example `max_output_tokens`, `content_filter` or `pause_turn`.'),
  })
    .nullable()
    .describe('Why the response is incomplete; null where it is not.'),
  model: z.string().min(1).describe('The model that answered, as the provider names it.'),
  output: z.array(outputItem).describe('What the model made, in order.'),
  output_text: z
    .string()
    .optional()
    .describe('All texts of `output`, joined. Once the response has ended.'),
  usage: responsesUsage
    .nullable()
    .describe('Tokens of the request; null until the response has ended.'),
  ...echo,
  gateway: gatewayMetadata
    .optional()
    .describe('How the request was served, where `X-Gateway-Return-Extra-Fields` asked for it.'),
}).meta({
  title: 'Response',
  description: 'A whole answer of the responses route, and the object that stream events carry.',
});
