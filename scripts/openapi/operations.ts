import {
  type AnswerExample,
  CHAT_ANSWERS,
  CHAT_STREAMS,
  RESPONSES_ANSWERS,
  RESPONSES_STREAMS,
} from './examples/answers.ts';
import { badRequests } from './examples/errors.ts';
import { CHAT_REQUESTS, RESPONSES_REQUESTS, type RequestExample } from './examples/requests.ts';
import { headerRefs, RATE_LIMIT_HEADERS, requiredHeaders } from './headers.ts';
import { errorRefs, errorResponse, type Part } from './responses.ts';
import { ref, type Schema } from './schema.ts';
import { CATALOG_ABOUT, CHAT_ABOUT, MODELS_ABOUT, RESPONSES_ABOUT } from './texts/document.ts';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const STREAM_TEXT =
  'Frames of one `data:` line and a blank line each. `x-itemSchema` is the schema of the JSON in a frame; the last frame is `data: [DONE]`. Comment lines (`: keep-alive`) come after 15 seconds of silence.';

interface InferenceRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly about: string;
  readonly request: string;
  readonly requests: Readonly<Record<string, RequestExample>>;
  readonly answer: string;
  readonly answers: Readonly<Record<string, AnswerExample>>;
  readonly frame: Schema;
  readonly streams: Readonly<Record<string, AnswerExample>>;
  readonly badRequest: Part;
}

function parameter(name: string): Part {
  return { $ref: `#/components/parameters/${name}` };
}

function inferenceOperation(route: InferenceRoute): Part {
  return {
    tags: ['Inference'],
    operationId: route.operationId,
    summary: route.summary,
    description: route.about,
    parameters: [parameter('ReturnExtraFields'), parameter('ContentEncoding')],
    requestBody: {
      description: 'A JSON object of at most 100,000,000 bytes, after decompression.',
      required: true,
      content: { [JSON_TYPE]: { schema: ref(route.request), examples: route.requests } },
    },
    responses: {
      '200': inferenceAnswer(route),
      '400': route.badRequest,
      ...errorRefs(
        'authentication',
        'billing',
        'permission',
        'not_found',
        'conflict',
        'too_large',
        'rate_limit',
        'gateway',
        'ledger_unavailable',
      ),
    },
  };
}

function inferenceAnswer({ answer, answers, frame, streams }: InferenceRoute): Part {
  const stream: Schema = { type: 'string', description: STREAM_TEXT };
  return {
    description:
      'The answer: one JSON body, or with `stream` true an event stream. Streams also carry `cache-control` and `x-accel-buffering`.',
    headers: {
      ...requiredHeaders('x-request-id', ...RATE_LIMIT_HEADERS),
      'cache-control': {
        description: 'On streams: no proxy may keep or change the events.',
        schema: { type: 'string', const: 'no-cache, no-transform' },
      },
      ...headerRefs('x-accel-buffering'),
    },
    content: {
      [JSON_TYPE]: { schema: ref(answer), examples: answers },
      [STREAM_TYPE]: { schema: stream, 'x-itemSchema': frame, examples: streams },
    },
  };
}

interface DocumentRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly about: string;
  readonly answer: string;
  readonly example: unknown;
}

function documentOperation(route: DocumentRoute): Part {
  return {
    tags: ['Discovery'],
    operationId: route.operationId,
    summary: route.summary,
    description: route.about,
    security: [],
    parameters: [parameter('IfNoneMatch')],
    responses: {
      '200': {
        description: 'The document.',
        headers: headerRefs('x-request-id', 'etag', 'cache-control'),
        content: { [JSON_TYPE]: { schema: ref(route.answer), example: route.example } },
      },
      '304': { $ref: '#/components/responses/NotModified' },
      ...errorRefs('catalog_unavailable'),
    },
  };
}

function preflight(path: string, operationId: string): Part {
  return {
    tags: ['Browsers'],
    operationId,
    summary: `Preflight of ${path}`,
    description:
      'What a browser asks before it lets a script call. Needs no key, and allows the headers that it asks for.',
    security: [],
    responses: { '204': { $ref: '#/components/responses/Preflight' } },
  };
}

/** All paths of the service (part 4). */
export function paths(examples: { readonly catalog: unknown; readonly models: unknown }): Part {
  const refused = badRequests();
  const chat = inferenceOperation({
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    about: CHAT_ABOUT,
    request: 'ChatCompletionRequest',
    requests: CHAT_REQUESTS,
    answer: 'ChatCompletion',
    answers: CHAT_ANSWERS,
    frame: { oneOf: [ref('ChatCompletionChunk'), ref('Error')] },
    streams: CHAT_STREAMS,
    badRequest: errorResponse('invalid_request', refused['chat-completions']),
  });
  const responses = inferenceOperation({
    operationId: 'createResponse',
    summary: 'Create a response',
    about: RESPONSES_ABOUT,
    request: 'ResponsesRequest',
    requests: RESPONSES_REQUESTS,
    answer: 'Response',
    answers: RESPONSES_ANSWERS,
    frame: ref('ResponseStreamEvent'),
    streams: RESPONSES_STREAMS,
    badRequest: errorResponse('invalid_request', refused.responses),
  });
  const models = documentOperation({
    operationId: 'listModels',
    summary: 'List models',
    about: MODELS_ABOUT,
    answer: 'ModelList',
    example: examples.models,
  });
  const catalog = documentOperation({
    operationId: 'getCatalog',
    summary: 'Get the catalog',
    about: CATALOG_ABOUT,
    answer: 'Catalog',
    example: examples.catalog,
  });
  return {
    '/v1/chat/completions': {
      post: chat,
      options: preflight('/v1/chat/completions', 'preflightChatCompletion'),
    },
    '/v1/responses': { post: responses, options: preflight('/v1/responses', 'preflightResponse') },
    '/v1/models': { get: models, options: preflight('/v1/models', 'preflightModels') },
    '/v1/catalog': { get: catalog, options: preflight('/v1/catalog', 'preflightCatalog') },
  };
}
