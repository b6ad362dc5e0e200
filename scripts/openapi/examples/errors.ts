import { buildCatalog } from '../../../catalog/write.ts';
import { type ErrorCode, GatewayError } from '../../../shared/api/error.ts';
import type { Catalog } from '../../../shared/catalog/types.ts';
import { CHAT_COMPLETIONS } from '../../../shared/gateway/chat-completions.ts';
import { prepareCall } from '../../../shared/gateway/prepare.ts';
import { RESPONSES } from '../../../shared/gateway/responses.ts';
import { readApiKey } from '../../../shared/http/credential.ts';
import { notFound } from '../../../shared/http/middleware.ts';
import { ledgerUnavailable } from '../../../shared/ledger/authenticate.ts';
import { NEUTRAL_FAILURE } from '../../../shared/providers/failure.ts';

export interface ErrorExample {
  readonly summary: string;
  readonly message: string;
}
type Examples = Readonly<Record<string, ErrorExample>>;

const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] };
const IMAGE = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

/** Chat requests that the gateway refuses. */
const REFUSED_CHAT: Readonly<Record<string, readonly [summary: string, body: unknown]>> = {
  'missing-field': ['A required field is missing', { model: 'gpt-5.6-sol' }],
  'unknown-field': ['An unknown field', { model: 'gpt-5.6-sol', ...HELLO, surprise: 1 }],
  'refused-field': [
    'A field that the service owns',
    { model: 'gpt-5.6-sol', ...HELLO, store: true },
  ],
  'other-family': [
    'A field of the other family',
    { model: 'claude-sonnet-5', ...HELLO, logprobs: true },
  ],
  'unknown-model': ['An unknown model', { model: 'gpt-0', ...HELLO }],
  'output-cap': [
    'More output than the model writes',
    { model: 'gpt-5.6-sol', ...HELLO, max_completion_tokens: 1_000_000 },
  ],
  'text-only': [
    'An image',
    { model: 'gpt-5.6-sol', messages: [{ role: 'user', content: [IMAGE] }] },
  ],
};
const REFUSED_RESPONSES: typeof REFUSED_CHAT = {
  'missing-field': ['A required field is missing', { model: 'gpt-5.6-sol' }],
  'unknown-field': ['An unknown field', { model: 'gpt-5.6-sol', input: 'Hi', surprise: 1 }],
  'refused-field': [
    'A field that the service owns',
    { model: 'gpt-5.6-sol', input: 'Hi', previous_response_id: 'resp_1' },
  ],
  'other-family': ['A field of the other family', { model: 'gpt-5.6-sol', input: 'Hi', top_k: 40 }],
  'unknown-model': ['An unknown model', { model: 'gpt-0', input: 'Hi' }],
};

/** What the gateway itself says to a body: the examples cannot differ from it. */
function refusals(requests: typeof REFUSED_CHAT, prepare: (body: unknown) => unknown): Examples {
  return Object.fromEntries(
    Object.entries(requests).map(([name, [summary, body]]) => [
      name,
      { summary, message: messageOf(() => prepare(body)) },
    ]),
  );
}

function messageOf(refuse: () => unknown): string {
  try {
    refuse();
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
  throw new Error('the example was not refused');
}

function inputOf(catalog: Catalog, body: unknown) {
  const today = catalog.generatedAt.slice(0, 10);
  const providers = new Set(Object.values(catalog.graph.providers).map(({ id }) => id));
  return { catalog, body, identity: '', today, providers };
}

const FROM_PROVIDER = {
  summary: "The provider's own refusal, in its words",
  message: 'Your input exceeds the context window of this model.',
};

/** Examples of 400 on each POST route, in the gateway's own words. */
export function badRequests(): Readonly<Record<'chat-completions' | 'responses', Examples>> {
  const catalog = buildCatalog();
  const chat = (body: unknown) => prepareCall(CHAT_COMPLETIONS, inputOf(catalog, body));
  const responses = (body: unknown) => prepareCall(RESPONSES, inputOf(catalog, body));
  return {
    'chat-completions': { ...refusals(REFUSED_CHAT, chat), 'from-provider': FROM_PROVIDER },
    responses: { ...refusals(REFUSED_RESPONSES, responses), 'from-provider': FROM_PROVIDER },
  };
}

/** Examples of every other error. */
export const ERROR_EXAMPLES: Readonly<Record<Exclude<ErrorCode, 'invalid_request'>, Examples>> = {
  authentication: {
    missing: { summary: 'No key', message: messageOf(() => readApiKey({})) },
    wrong: { summary: 'A wrong key', message: 'Incorrect API key provided.' },
  },
  billing: {
    balance: {
      summary: 'The balance is too small',
      message: 'The account balance does not cover this request. Add credit and try again.',
    },
    'lifetime-limit': {
      summary: "The key's lifetime limit",
      message: 'The lifetime spend limit of this API key is exhausted.',
    },
    'recurring-limit': {
      summary: "The key's recurring limit",
      message: 'The recurring spend limit of this API key is exhausted.',
    },
  },
  permission: {
    disabled: { summary: 'A disabled key', message: 'This API key is disabled.' },
    expired: { summary: 'An expired key', message: 'This API key has expired and is disabled.' },
  },
  not_found: {
    route: { summary: 'No such route', message: notFound('POST', '/v1/embeddings').message },
  },
  conflict: {
    finalized: {
      summary: 'The request ID is used up',
      message: 'This request ID was refused or given back. Make a new one and try again.',
    },
  },
  too_large: {
    body: {
      summary: 'The body is too large',
      message: 'The request body is larger than 100000000 bytes. Send a smaller body.',
    },
  },
  rate_limit: {
    bucket: {
      summary: 'The token bucket is empty',
      message: 'This API key has sent too many requests. Please slow down and try again.',
    },
  },
  gateway: {
    provider: { summary: 'The provider failed', message: NEUTRAL_FAILURE },
    broken: {
      summary: 'The answer broke off before its first event',
      message: 'The provider broke off its answer. Please try again.',
    },
    unexpected: {
      summary: 'A fault of the gateway',
      message: 'An unexpected error occurred. Please try again.',
    },
  },
  catalog_unavailable: {
    catalog: { summary: 'The catalog is unavailable', message: 'The catalog is unavailable.' },
  },
  ledger_unavailable: {
    database: {
      summary: 'The billing database cannot be reached',
      message: ledgerUnavailable(undefined).message,
    },
  },
};
