import * as z from 'zod/mini';
import type { AbsencePlan } from './absent.ts';
import { openObject, outputCap, positiveInteger, sharedFields } from './common-fields.ts';
import { invalidRequest } from './error.ts';
import { inputItem } from './input-item.ts';
import { checkSharedRules, EMPTY_IS_ABSENT, parseRequest } from './parse-request.ts';
import { prepareItem } from './prepare-item.ts';
import { checkResponsesToolChoice } from './tool-choice.ts';
import { type ResponsesTool, responsesTool, responsesToolChoice } from './tools.ts';

const textOptions = z.looseObject({
  format: z.exactOptional(
    z.looseObject({
      type: z.string(),
      name: z.exactOptional(z.string()),
      schema: z.exactOptional(openObject),
      strict: z.exactOptional(z.boolean()),
    }),
  ),
  verbosity: z.exactOptional(z.string()),
});

/** Body of `POST /v1/responses` (2.7) without the fields that are refused by name. */
const responsesRequest = z.strictObject({
  ...sharedFields,
  input: z.union([z.string(), z.array(inputItem).check(z.minLength(1))]),
  stream_options: z.exactOptional(
    z.strictObject({ include_obfuscation: z.exactOptional(z.boolean()) }),
  ),
  instructions: z.exactOptional(z.string()),
  max_output_tokens: z.exactOptional(outputCap),
  max_tool_calls: z.exactOptional(positiveInteger),
  tools: z.exactOptional(z.array(responsesTool)),
  tool_choice: z.exactOptional(responsesToolChoice),
  reasoning: z.exactOptional(
    z.strictObject({
      effort: z.exactOptional(z.string()),
      summary: z.exactOptional(z.string()),
      generate_summary: z.exactOptional(z.string()),
      max_tokens: z.exactOptional(positiveInteger),
    }),
  ),
  'reasoning.effort': z.exactOptional(z.string()),
  text: z.exactOptional(textOptions),
  truncation: z.exactOptional(z.string()),
  include: z.exactOptional(z.array(z.string())),
});
export type ResponsesRequest = z.output<typeof responsesRequest>;

const ABSENT: AbsencePlan = {
  emptyIsAbsent: EMPTY_IS_ABSENT,
  nested: {
    provider: {},
    rules: {},
    stream_options: {},
    cache_control: {},
    reasoning: {},
    text: { nested: { format: {} } },
    input: {
      ignored: ['parsed_arguments', 'created_by'],
      nested: { content: { ignored: ['parsed'], nested: { cache_control: {} } }, summary: {} },
    },
    tools: {
      nested: {
        filters: {},
        user_location: {},
        citations: {},
        allowed_tools: {},
        cache_control: {},
      },
    },
  },
};

/** How a body of `POST /v1/responses` is read. */
export const RESPONSES_REQUEST = {
  route: 'responses',
  schema: responsesRequest,
  absent: ABSENT,
  prepare: (body: Record<string, unknown>) =>
    Array.isArray(body.input) ? { ...body, input: body.input.map(prepareItem) } : body,
} as const;

/**
 * Reads the body of `POST /v1/responses`. Nulls and empty lists that read as absent are gone, every
 * message item has its type. Throws a 400 that names the field at fault; knows nothing of models.
 */
export function parseResponsesRequest(value: unknown): ResponsesRequest {
  const request = parseRequest(value, RESPONSES_REQUEST);
  checkSharedRules(request);
  checkServerLabels(request.tools ?? []);
  checkResponsesToolChoice(request.tool_choice, request.tools ?? []);
  return request;
}

function checkServerLabels(tools: readonly ResponsesTool[]): void {
  const labels = new Set<string>();
  tools.forEach((tool, index) => {
    if (tool.type !== 'mcp') return;
    if (labels.has(tool.server_label)) {
      throw invalidRequest(`tools[${index}].server_label is used twice; labels must be unique`);
    }
    labels.add(tool.server_label);
  });
}
