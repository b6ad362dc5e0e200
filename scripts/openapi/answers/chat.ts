import * as z from 'zod';
import { gatewayMetadata } from './common.ts';
import { count, openObject, relayed, unixTime } from './relayed.ts';

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'error']);
const FINISH =
  'Why the answer ended: `stop` (by itself, or at a stop text), `length` (a cap or the context window), `tool_calls`, `content_filter` (declined or filtered), `error`.';
const logprobs = openObject
  .nullable()
  .optional()
  .describe('Log probabilities, where they were asked for. OpenAI and Azure models.');
const annotations = z
  .array(openObject)
  .optional()
  .describe('Sources that the answer cites, each a `url_citation`.');
const refusal = z.string().nullable().optional().describe('The text by which the model declined.');
const serviceTier = z
  .string()
  .nullable()
  .optional()
  .describe('The tier that the provider ran. OpenAI and Azure models.');
const systemFingerprint = z
  .string()
  .nullable()
  .optional()
  .describe("The provider's own mark of its configuration. OpenAI and Azure models.");

const reasoningDetails = z
  .array(
    relayed({
      type: z.string().describe('`reasoning.text` or `reasoning.encrypted`.'),
      index: count.optional().describe('Place of the block among the reasoning blocks.'),
      format: z.string().optional().describe('Form of the block, for the provider that made it.'),
      text: z.string().optional().describe('The reasoning.'),
      signature: z.string().optional().describe("The provider's signature over the text."),
      data: z.string().optional().describe('The block, where the provider keeps it secret.'),
    }),
  )
  .optional()
  .describe('Whole reasoning blocks. Send them back as they came in the next turn.');
const reasoning = z
  .string()
  .optional()
  .describe('Reasoning in plain text, where the provider shows it.');

export const chatUsage = relayed({
  prompt_tokens: count.describe('Tokens of the input, cache reads and writes included.'),
  completion_tokens: count.describe('Tokens of the output, reasoning included.'),
  total_tokens: count.describe('The sum of both.'),
  prompt_tokens_details: relayed({
    cached_tokens: count.optional().describe("Tokens read from the provider's prompt cache."),
    cache_write_tokens: count.optional().describe("Tokens written to the provider's prompt cache."),
  })
    .nullable()
    .optional()
    .describe('Parts of the input.'),
  completion_tokens_details: relayed({
    reasoning_tokens: count.optional().describe('Tokens of the reasoning.'),
  })
    .nullable()
    .optional()
    .describe('Parts of the output.'),
}).meta({ title: 'Usage (chat)', description: 'Tokens of the request, as they are charged.' });

const calledFunction = relayed({
  id: z.string().describe('ID of the call. The tool message with its result repeats it.'),
  type: z.literal('function').describe('Always `function`.'),
  function: relayed({
    name: z.string().describe('Name of the function.'),
    arguments: z.string().describe('The arguments as a JSON text, as the model wrote it.'),
  }).describe('The function and its arguments.'),
});
const calledCustomTool = relayed({
  id: z.string().describe('ID of the call. The tool message with its result repeats it.'),
  type: z.literal('custom').describe('Always `custom`.'),
  custom: relayed({
    name: z.string().describe('Name of the tool.'),
    input: z.string().describe('The input as free text.'),
  }).describe('The tool and its input.'),
});

const contentBlock = relayed({
  type: z.string().describe('Kind of the block: `text`.'),
  text: z.string().optional().describe('The text.'),
});

export const answerMessage = relayed({
  role: z.literal('assistant').describe('Always `assistant`.'),
  content: z
    .union([z.string(), z.array(contentBlock)])
    .nullable()
    .describe('The text of the answer; null where there is none.'),
  refusal,
  reasoning,
  reasoning_details: reasoningDetails,
  tool_calls: z
    .array(z.union([calledFunction, calledCustomTool]))
    .nullable()
    .optional()
    .describe('Calls of tools, for the client to run.'),
  annotations,
}).meta({
  title: 'Answer message',
  description: 'What the model said. It may be sent back as it is in the next turn.',
});

/** Part 2.6. */
export const chatCompletion = relayed({
  id: z.string().min(1).describe('ID of the completion.'),
  object: z.literal('chat.completion').describe('Always `chat.completion`.'),
  created: unixTime.describe('When it was made, as Unix time in seconds.'),
  model: z.string().min(1).describe('The model that answered, as the provider names it.'),
  choices: z
    .array(
      relayed({
        index: count.describe('Place in the list: 0.'),
        message: answerMessage.describe('What the model said.'),
        logprobs,
        finish_reason: finishReason.describe(FINISH),
      }),
    )
    .length(1)
    .describe('The answer: always one.'),
  usage: chatUsage.optional().describe('Tokens of the request.'),
  service_tier: serviceTier,
  system_fingerprint: systemFingerprint,
  gateway: gatewayMetadata
    .optional()
    .describe('How the request was served, where `X-Gateway-Return-Extra-Fields` asked for it.'),
}).meta({ title: 'Chat completion', description: 'A whole answer of the chat route.' });

const toolCallPiece = relayed({
  index: count.describe('Which call of the answer it belongs to, from 0.'),
  id: z.string().optional().describe('ID of the call; in its first piece.'),
  type: z.string().optional().describe('`function` or `custom`; in its first piece.'),
  function: relayed({
    name: z.string().optional().describe('Name of the function; in its first piece.'),
    arguments: z.string().optional().describe('More of the arguments, to be appended.'),
  })
    .optional()
    .describe('More of a function call.'),
  custom: relayed({
    name: z.string().optional().describe('Name of the tool; in its first piece.'),
    input: z.string().optional().describe('More of the input, to be appended.'),
  })
    .optional()
    .describe('More of a custom tool call.'),
});

const delta = relayed({
  role: z.literal('assistant').optional().describe('In the first chunk only.'),
  content: z.string().nullable().optional().describe('More text, to be appended.'),
  refusal,
  reasoning,
  reasoning_details: reasoningDetails,
  tool_calls: z.array(toolCallPiece).optional().describe('More of the tool calls.'),
  annotations,
});

/** Part 6.3. */
export const chatChunk = relayed({
  id: z.string().min(1).describe('ID of the completion; the same in every chunk.'),
  object: z.literal('chat.completion.chunk').describe('Always `chat.completion.chunk`.'),
  created: unixTime.describe(
    'When the answer began, as Unix time in seconds; the same in every chunk.',
  ),
  model: z.string().min(1).describe('The model that answers; the same in every chunk.'),
  choices: z
    .array(
      relayed({
        index: count.describe('Place in the list: 0.'),
        delta: delta.describe('What is new since the chunk before.'),
        logprobs,
        finish_reason: finishReason
          .nullable()
          .describe(`Null until the last chunk with a choice. ${FINISH}`),
      }),
    )
    .max(1)
    .describe('One choice; none in the last chunk, which has the usage.'),
  usage: chatUsage.nullable().optional().describe('Tokens of the request, in the last chunk.'),
  service_tier: serviceTier,
  system_fingerprint: systemFingerprint,
  gateway: gatewayMetadata
    .optional()
    .describe('In the last chunk, where `X-Gateway-Return-Extra-Fields` asked for it.'),
}).meta({
  title: 'Chat completion chunk',
  description:
    'One frame of a streamed chat completion. The first has the role, the last has no choice and the usage.',
});
