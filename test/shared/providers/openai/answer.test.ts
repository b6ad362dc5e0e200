import { expect, test } from 'vitest';
import { GatewayError } from '../../../../shared/api/error.ts';
import { isJsonObject } from '../../../../shared/api/json.ts';
import { readChatAnswer, readResponsesAnswer } from '../../../../shared/providers/openai/answer.ts';
import { readError } from '../../../../shared/providers/openai/error.ts';
import { createChatStream } from '../../../../shared/providers/openai/stream-chat.ts';
import { AZURE, choicesOf, context, fixtureEvents, play, recordedBody } from './support.ts';

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_001,
  model: 'gpt-5.6-sol-2026-06-01',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Grüße', refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: JSON.parse(fixtureEvents('chat-text.chunks.txt').at(-1) ?? '').usage,
  service_tier: 'flex',
};

test('a whole completion passes unchanged, and is counted', () => {
  const { body, report } = readChatAnswer(COMPLETION, context());

  expect(body).toEqual(COMPLETION);
  expect(report).toMatchObject({
    usage: {
      input_tokens: 26,
      cached_input_tokens: 64,
      cache_write_input_tokens: 30,
      output_tokens: 40,
    },
    reasoningTokens: 12,
    complete: true,
    producedOutput: true,
    executed: { serviceTier: 'flex' },
  });
});

test('a stream says the same as the whole answer of the same turn', () => {
  const translator = createChatStream(context());
  const frames = play(translator, fixtureEvents('chat-text.chunks.txt'));
  const content = frames
    .flatMap(choicesOf)
    .map(({ delta }) => delta.content ?? '')
    .join('');
  const [choice] = COMPLETION.choices;
  const whole = readChatAnswer(
    { ...COMPLETION, choices: [{ ...choice, message: { ...choice?.message, content } }] },
    context(),
  );

  expect(frames.at(-1)?.usage).toEqual(whole.body.usage);
  expect(translator.report()).toEqual({
    ...whole.report,
    executed: { serviceTier: 'default' },
  });
});

test('Azure’s filter results stay behind', () => {
  const filtered = { content_filter_results: { hate: { filtered: false } } };
  const { body } = readChatAnswer(
    {
      ...COMPLETION,
      prompt_filter_results: [filtered],
      choices: COMPLETION.choices.map((choice) => ({ ...choice, ...filtered })),
    },
    context({ deployment: AZURE }),
  );

  expect(body).toEqual(COMPLETION);
});

test.each([
  undefined,
  'text',
  {},
  { choices: [] },
  { error: { message: 'no', type: 'server_error' } },
])('what is no completion is a failure of the provider: %j', (body) => {
  expect(() => readChatAnswer(body, context())).toThrow(
    expect.objectContaining({ code: 'gateway' }),
  );
});

test.each([
  undefined,
  { object: 'response', status: 'in_progress', output: [] },
  { object: 'response', status: 'completed' },
  { status: 'failed', output: [], error: { code: 'server_error', message: 'internal detail' } },
])('what is no ended response is a failure of the provider: %j', (body) => {
  const read = () => readResponsesAnswer(body, context(), {});
  expect(read).toThrow(expect.objectContaining({ code: 'gateway' }));
  expect(read).not.toThrow(/detail/);
});

const RECORDED = recordedBody('responses-web-search-tool.1.json');

test.skipIf(RECORDED === undefined)(
  'a recorded response keeps its output and counts searches',
  () => {
    const plan = { callCaps: { openai_responses_web_search_calls: 50 }, feedsInput: true };
    const { body, report } = readResponsesAnswer(RECORDED, context({ plan }), {});
    const calls = [RECORDED?.output]
      .flat()
      .filter((item) => isJsonObject(item) && item.type === 'web_search_call');

    expect(body.output).toEqual(RECORDED?.output);
    expect(body).toMatchObject({ id: context().id, store: false });
    expect(report.usage?.openai_responses_web_search_calls).toBe(calls.length);
  },
);

const RECORDED_ERROR = recordedBody('responses-error.1.json');

test.skipIf(RECORDED_ERROR === undefined)(
  'a recorded refusal of our account says nothing of it',
  () => {
    expect(readError(429, RECORDED_ERROR)).toEqual({
      blamesRequest: false,
      message: expect.not.stringMatching(/quota|billing/),
      retryable: true,
    });
  },
);

test.each([
  [
    400,
    { error: { message: 'Bad temperature', type: 'invalid_request_error' } },
    'Bad temperature',
  ],
  [413, undefined, undefined],
  [422, '<html>', undefined],
  [400, { error: { message: 'Key sk-proj-abc123def456 is bad' } }, 'Key [redacted] is bad'],
])('a %i blames the request: %j', (status, body, message) => {
  expect(readError(status, body)).toEqual({
    blamesRequest: true,
    message: message ?? expect.stringMatching(/./),
    retryable: false,
  });
});

test.each([
  [401, { error: { message: 'Incorrect API key provided: sk-abc' } }],
  [404, { error: { code: 'model_not_found', message: 'The model x does not exist' } }],
  [404, { error: { code: 'DeploymentNotFound', message: 'resource tollgate-eu' } }],
  [429, {}],
  [500, undefined],
  [503, 'busy'],
])('a %i is the provider’s or ours: neutral, and another may serve: %j', (status, body) => {
  const failure = readError(status, body);
  expect(failure).toMatchObject({ blamesRequest: false, retryable: true });
  expect(failure.message).not.toMatch(/sk-|model x|tollgate/);
});

test('errors thrown are the client’s own kind', () => {
  expect(() => readChatAnswer({}, context())).toThrow(GatewayError);
});
