import fc from 'fast-check';
import type { Response } from 'openai/resources/responses/responses';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { responsesEcho } from '../../../shared/api/responses-echo.ts';
import type { ResponsesRequest } from '../../../shared/api/responses-request.ts';
import {
  createResponsesWriter,
  type ResponsesHead,
  writeResponse,
} from '../../../shared/api/responses-writer.ts';
import type { StreamPart } from '../../../shared/api/stream-part.ts';
import { checkResponsesEvents } from '../../support/responses-automaton.ts';
import { failedParts, finishedParts } from '../../support/stream-parts.ts';

const REQUEST: ResponsesRequest = { model: 'claude', input: 'hi' };

function head(request = REQUEST): ResponsesHead {
  let items = 0;
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    createdAt: 1_790_000_000,
    model: 'model',
    now: () => 1_790_000_009,
    nextId: () => `${items++}`,
    echo: responsesEcho(request),
  };
}

function write(parts: readonly StreamPart[], request = REQUEST) {
  const writer = createResponsesWriter(head(request));
  return parts.flatMap(writer).map((frame) => JSON.parse(frame));
}

describe('the events of a response', () => {
  it('keep to the protocol and build the whole response, for any parts', () => {
    fc.assert(
      fc.property(finishedParts, (parts) => {
        expect(checkResponsesEvents(write(parts))).toEqual(writeResponse(head(), parts));
      }),
    );
  });

  it('keep to the protocol where the answer breaks off, and keep what was generated', () => {
    fc.assert(
      fc.property(failedParts, (parts) => {
        const response = checkResponsesEvents(write(parts));
        const texts = parts.map((part) => (part.type === 'text-delta' ? part.text : ''));
        expect(response.output_text).toBe(texts.join(''));
        expect(response.error.message).toBe('broke off');
        expect(() => writeResponse(head(), parts)).toThrow('broke off');
      }),
    );
  });

  it('are none after the terminal one', () => {
    const late: StreamPart[] = [
      { type: 'text-delta', text: 'late' },
      { type: 'start', model: 'm' },
    ];
    fc.assert(
      fc.property(fc.oneof(finishedParts, failedParts), (parts) => {
        expect(write([...parts, ...late, ...parts])).toEqual(write(parts));
      }),
    );
  });
});

/** What the Response schema of the Open Responses specification requires. */
const REQUIRED = [
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'incomplete_details',
  'model',
  'previous_response_id',
  'instructions',
  'output',
  'error',
  'tools',
  'tool_choice',
  'truncation',
  'parallel_tool_calls',
  'text',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'top_logprobs',
  'temperature',
  'reasoning',
  'usage',
  'max_output_tokens',
  'max_tool_calls',
  'store',
  'background',
  'service_tier',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
];
/** Those of them that may not be null. */
const NEVER_NULL = REQUIRED.filter((field) =>
  /^(tools|tool_choice|truncation|parallel|text|top_|presence|frequency|temperature|store|background|service_tier|metadata|output$|model)/.test(
    field,
  ),
);

/** Fields that the client's own type requires, checked by the compiler to be a complete list. */
type RequiredKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];
const CLIENT_REQUIRED = [
  'id',
  'access_programs',
  'output_text',
  'created_at',
  'error',
  'incomplete_details',
  'instructions',
  'metadata',
  'model',
  'object',
  'output',
  'parallel_tool_calls',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
] as const satisfies readonly (keyof Response)[];

describe('the response object', () => {
  it('has every field that the schemas require, in every state', () => {
    expectTypeOf<RequiredKeys<Response>>().toEqualTypeOf<(typeof CLIENT_REQUIRED)[number]>();
    fc.assert(
      fc.property(fc.oneof(finishedParts, failedParts), (parts) => {
        const events = write(parts);
        const [created] = events;
        const { response } = events.at(-1);
        expect(Object.keys(response)).toEqual(expect.arrayContaining([...CLIENT_REQUIRED]));
        for (const { response: state } of [created, events.at(-1)]) {
          expect(Object.keys(state)).toEqual(expect.arrayContaining(REQUIRED));
          for (const field of NEVER_NULL) expect(state[field], field).not.toBeNull();
        }
      }),
      { numRuns: 20 },
    );
  });

  it('repeats what the request asked', () => {
    const request: ResponsesRequest = {
      ...REQUEST,
      instructions: 'Be brief.',
      max_output_tokens: 100,
      max_tool_calls: 3,
      metadata: { team: 'red' },
      parallel_tool_calls: false,
      reasoning: { effort: 'low' },
      temperature: 0.5,
      text: { verbosity: 'low' },
      tool_choice: 'required',
      service_tier: 'priority',
    };
    const { model: _model, input: _input, reasoning, text, ...same } = request;
    expect(responsesEcho(request)).toMatchObject({
      ...same,
      reasoning: { ...reasoning, summary: null },
      text: { format: { type: 'text' }, ...text },
      store: false,
    });
  });

  it('shows tools with every field, and remote tools without their credentials', () => {
    const tools = responsesEcho({
      ...REQUEST,
      tools: [
        { type: 'function', name: 'f' },
        {
          type: 'mcp',
          server_label: 's',
          server_url: 'https://example.org',
          authorization: 'secret-token',
          headers: { 'x-key': 'secret-header' },
          allowed_tools: ['a'],
          require_approval: 'never',
        },
      ],
    }).tools;
    expect(tools).toEqual([
      { type: 'function', name: 'f', description: null, parameters: null, strict: null },
      {
        type: 'mcp',
        server_label: 's',
        server_url: 'https://example.org',
        allowed_tools: ['a'],
        require_approval: 'never',
      },
    ]);
  });
});
