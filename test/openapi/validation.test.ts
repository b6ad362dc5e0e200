import { describe, expect, test } from 'vitest';
import {
  CHAT_ANSWERS,
  CHAT_STREAMS,
  RESPONSES_ANSWERS,
  RESPONSES_STREAMS,
} from '../../scripts/openapi/examples/answers.ts';
import { GatewayError } from '../../shared/api/error.ts';
import { COMMON_HEADERS } from '../../shared/http/headers.ts';
import { errorResponse } from '../../shared/http/middleware.ts';
import { type Answered, expectDocumented } from '../support/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Loose = any;

const CHAT = { method: 'POST', path: '/v1/chat/completions' };
const RESPONSES = { method: 'POST', path: '/v1/responses' };
const REQUEST_ID = '0198a6c2-7d1e-7c53-9b3a-2f6f4f0f9a11';
const HEADERS = {
  ...COMMON_HEADERS,
  'x-request-id': REQUEST_ID,
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-remaining-requests': '59',
  'x-ratelimit-reset-requests': '0.100s',
};
const JSON_TYPE = { 'content-type': 'application/json' };

function whole(body: Loose, headers: Record<string, string> = {}): Answered {
  const sent = new Headers({ ...HEADERS, ...JSON_TYPE, ...headers });
  return { status: 200, headers: sent, text: JSON.stringify(body) };
}

function streamed(text: string): Answered {
  const stream = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  };
  return { status: 200, headers: new Headers({ ...HEADERS, ...stream }), text };
}

function refused(error: GatewayError): Answered {
  const { statusCode, headers } = errorResponse(error, REQUEST_ID);
  const body = { error: { message: error.message, type: 'rate_limit_error' } };
  const sent = new Headers({ ...HEADERS, ...headers });
  return { status: statusCode, headers: sent, text: JSON.stringify(body) };
}

const chatBody: Loose = CHAT_ANSWERS.text?.value;
const response: Loose = RESPONSES_ANSWERS.text?.value;
const [choice] = chatBody.choices;
const chatStream = String(CHAT_STREAMS.text?.value);
const responsesStream = String(RESPONSES_STREAMS.text?.value);
const limited = (options: object = { retryAfterMs: 500 }) =>
  refused(new GatewayError('rate_limit', 'Wait.', options));

describe('the check of answers', () => {
  test('passes what is right', () => {
    expectDocumented(CHAT, whole(chatBody), 'closed');
    expectDocumented(CHAT, streamed(chatStream), 'closed');
    expectDocumented(RESPONSES, whole(response), 'closed');
    expectDocumented(RESPONSES, streamed(responsesStream), 'closed');
    expectDocumented(CHAT, limited());
    // What an OpenAI model adds passes, where the gateway did not make the answer itself.
    expectDocumented(CHAT, whole({ ...chatBody, novelty: 1 }));
  });

  test.each<[fault: string, asked: typeof CHAT, answer: Answered]>([
    ['a further field', CHAT, whole({ ...chatBody, novelty: 1 })],
    ['a missing field', CHAT, whole({ ...chatBody, model: undefined })],
    [
      'an unknown finish reason',
      CHAT,
      whole({ ...chatBody, choices: [{ ...choice, finish_reason: 'end_turn' }] }),
    ],
    [
      'a usage that is no number',
      CHAT,
      whole({ ...chatBody, usage: { ...chatBody.usage, total_tokens: '30' } }),
    ],
    [
      'a further field deep inside',
      CHAT,
      whole({ ...chatBody, choices: [{ ...choice, message: { ...choice.message, novelty: 1 } }] }),
    ],
    [
      'a whole answer in a stream',
      CHAT,
      streamed(`data: ${JSON.stringify(chatBody)}\n\ndata: [DONE]\n\n`),
    ],
    ['an ID that is no UUIDv7', RESPONSES, whole({ ...response, id: 'resp_1' })],
    ['a missing echo', RESPONSES, whole({ ...response, truncation: undefined })],
    [
      'an item without its field',
      RESPONSES,
      whole({ ...response, output: [{ ...response.output[0], role: undefined }] }),
    ],
    [
      'an event without its number',
      RESPONSES,
      streamed(responsesStream.replace('"sequence_number":3,', '')),
    ],
    [
      'an unknown event',
      RESPONSES,
      streamed(responsesStream.replaceAll('response.in_progress', 'response.novelty')),
    ],
    ['an answer of the other route', RESPONSES, whole(chatBody)],
    ['a header that nobody knows', CHAT, whole(chatBody, { 'x-novelty': '1' })],
    ['a header of another form', CHAT, whole(chatBody, { 'x-ratelimit-reset-requests': '6m0s' })],
    ['another content type', CHAT, whole(chatBody, { 'content-type': 'text/plain' })],
    ['a status that is not documented', CHAT, { ...whole(chatBody), status: 201 }],
    [
      'a status on a path that is no route',
      { method: 'GET', path: '/v1/responses' },
      whole(response),
    ],
    ['an error type of another status', CHAT, { ...limited(), status: 400 }],
    ['a 429 without a time to wait', CHAT, limited({})],
    [
      'an error with a further field',
      CHAT,
      { ...limited(), text: '{"error":{"message":"x","type":"rate_limit_error","code":1}}' },
    ],
  ])('finds %s', (_, asked, answer) => {
    expect(() => expectDocumented(asked, answer, 'closed')).toThrow();
  });
});
