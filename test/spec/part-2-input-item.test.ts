import { describe, expect, test } from 'vitest';
import { messagesAnswer } from '../support/provider-answers.ts';
import { A, B, type Claims, claimForms, useSpecGateway } from '../support/spec-gateway.ts';
import { CALLS } from '../support/spec-input-item-calls.ts';
import { CALL, HI, list, RESULT, THOUGHT, toB } from '../support/spec-input-item-fixtures.ts';
import { MESSAGES } from '../support/spec-input-item-messages.ts';

const spec = useSpecGateway();
const claim = (claims: Claims) => claimForms(spec, 'responses', claims);
const accepted = (forms: Claims['accepted']) => claim({ accepted: forms, refused: [] });
const refused = (forms: Claims['refused']) => claim({ accepted: [], refused: forms });

describe('messages', () => {
  claim(MESSAGES);
});

describe('calls and their results', () => {
  claim(CALLS);
});

describe('images, audio and files', () => {
  const parts: Record<string, object> = {
    'an image': { type: 'input_image', image_url: 'https://x.example/a.png' },
    'an image by file': { type: 'input_image', file_id: 'file-1' },
    'a file': { type: 'input_file', file_id: 'file-1' },
    audio: { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
    'an image without a type': { image_url: 'https://x.example/a.png' },
    'an image in a text block': {
      type: 'input_text',
      text: 'x',
      image_url: 'https://x.example/a.png',
    },
  };
  refused(
    Object.entries(parts).flatMap(([name, part]) =>
      [A, B].flatMap((model) => [
        {
          claim: `2.8 content: ${name}, ${model}`,
          fields: { model, input: [{ role: 'user', content: [part] }] },
          names: /^input\[0\]\.content\[0\].*text-only/,
        },
        {
          claim: `2.8 output: ${name}, ${model}`,
          fields: { model, ...list(CALL, { ...RESULT, output: [part] }) },
          names: /^input\[2\]\.output\[0\].*text-only/,
        },
        {
          claim: `2.8 output: ${name} deep inside, ${model}`,
          fields: { model, ...list(CALL, { ...RESULT, output: { page: [{ parts: [part] }] } }) },
          names: /^input\[2\]\.output\.page\[0\]\.parts\[0\].*text-only/,
        },
      ]),
    ),
  );
});

describe('reasoning', () => {
  accepted([
    {
      claim: '2.8 reasoning, encrypted_content, summary: returns to family A',
      fields: list({ ...THOUGHT, encrypted_content: 'gAAAA' }),
      sent: {
        input: [{}, { type: 'reasoning', summary: THOUGHT.summary, encrypted_content: 'gAAAA' }],
      },
    },
    {
      claim: '2.8 reasoning: a bare one says nothing to family B',
      fields: toB(THOUGHT),
      sent: { messages: [{ role: 'user' }] },
    },
  ]);
  refused([
    {
      claim: '2.8 encrypted_content: what family B did not sign',
      fields: toB({ ...THOUGHT, encrypted_content: 'gAAAA' }),
      names: /^input\[1\]\.encrypted_content/,
    },
    {
      claim: '2.8 encrypted_content: must be text',
      fields: list({ ...THOUGHT, encrypted_content: 5 }),
      names: /^input\[1\]\.encrypted_content/,
    },
    {
      claim: '2.8 summary: a list of objects',
      fields: list({ ...THOUGHT, summary: 'x' }),
      names: /^input\[1\]\.summary/,
    },
  ]);

  test('2.8 reasoning: a bare one stays behind on family A', async () => {
    const { sent } = await spec.accept('responses', list(THOUGHT));
    expect(sent.body.input).toEqual([{ type: 'message', ...HI }]);
  });

  test('2.8 id: no echoed server-side ID reaches family A', async () => {
    const echoed = [
      {
        type: 'message',
        id: 'msg_9',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'x' }],
      },
      { ...CALL, id: 'fc_9' },
      { ...RESULT, id: 'fco_9' },
      { ...THOUGHT, id: 'rs_9', encrypted_content: 'gAAAA' },
    ];
    const { sent } = await spec.accept('responses', list(...echoed));
    expect(sent.text).not.toMatch(/"(?:msg|fc|fco|rs)_9"/);
  });
});

describe('the response object', () => {
  test.each([A, B])(
    '2.8 id, object, created_at, completed_at, status, error, incomplete_details, model, output, output_text, usage: whole, from %s',
    async (model) => {
      const { body } = await spec.accept('responses', { model });
      expect(body).toMatchObject({
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        object: 'response',
        created_at: expect.any(Number),
        status: 'completed',
        error: null,
        incomplete_details: null,
        model: expect.stringMatching(/\w/),
        output: [
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Grüße aus Zürich 🎉' }],
          },
        ],
        output_text: 'Grüße aus Zürich 🎉',
        usage: { input_tokens: 1_000, output_tokens: 50, total_tokens: 1_050 },
      });
      expect(Number.isInteger(body.created_at)).toBe(true);
      expect(
        body.completed_at === undefined ||
          body.completed_at === null ||
          Number.isInteger(body.completed_at),
      ).toBe(true);
    },
  );

  test.each([A, B])('2.8 other: what the service decides is echoed, from %s', async (model) => {
    const { body } = await spec.accept('responses', { model, metadata: { team: 'x' } });
    const decided = { store: false, previous_response_id: null, background: false };
    expect(body).toMatchObject({ ...decided, metadata: { team: 'x' } });
    expect(body.safety_identifier ?? null).toBeNull();
  });

  test('2.8 other: family B has no echo of its own, so ours is the request', async () => {
    const asked = { instructions: 'Be brief', max_output_tokens: 77, parallel_tool_calls: true };
    const { body } = await spec.accept('responses', { model: B, ...asked });
    expect(body).toMatchObject(asked);
  });

  test('2.8 gateway: is absent unless asked for', async () => {
    expect((await spec.accept('responses', {})).body).not.toHaveProperty('gateway');
  });

  test('2.8 output: what we answer may be sent back as it is, to both families', async () => {
    const turn = { call: { id: 'toolu_1', name: 'look', arguments: '{"a":1}' } };
    const counted = { input: 10, cached: 0, output: 5 };
    const answer = messagesAnswer({ turn, counted, stream: false });
    const first = await spec.accept('responses', { model: B, input: [HI] }, { answer });
    const call = first.body.output.find((item: { type: string }) => item.type === 'function_call');
    const input = [HI, ...first.body.output, { ...RESULT, call_id: call.call_id }];
    for (const model of [A, B]) await spec.accept('responses', { model, input });
  });
});
