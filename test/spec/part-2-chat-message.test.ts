import { describe, expect, test } from 'vitest';
import { messagesAnswer } from '../support/provider-answers.ts';
import { HI, RESULT, user } from '../support/spec-chat-message-fixtures.ts';
import { MEDIA } from '../support/spec-chat-message-media.ts';
import { TURNS } from '../support/spec-chat-message-turns.ts';
import {
  A,
  B,
  type Claims,
  claimForms,
  jsonFrames,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const claim = (claims: Claims) => claimForms(spec, 'chat', claims);
const accepted = (forms: Claims['accepted']) => claim({ accepted: forms, refused: [] });
const refused = (forms: Claims['refused']) => claim({ accepted: [], refused: forms });

describe('roles and content', () => {
  accepted([
    ...['system', 'user', 'assistant', 'developer'].map((role) => ({
      claim: `2.5 role: ${role} on family A`,
      fields: { messages: [{ role, content: 'x' }, HI] },
      sent: { messages: [{ role, content: 'x' }, HI] },
    })),
    {
      claim: '2.5 role: system and developer lead the conversation on family B',
      fields: {
        model: B,
        messages: [{ role: 'system', content: 'a' }, { role: 'developer', content: 'b' }, HI],
      },
      sent: { system: [{ text: 'a' }, { text: 'b' }], messages: [{ role: 'user' }] },
    },
    {
      claim: '2.5 content: text blocks on family A',
      fields: user([{ type: 'text', text: 'x' }]),
      sent: user([{ type: 'text', text: 'x' }]),
    },
    {
      claim: '2.5 content: text blocks on family B',
      fields: { model: B, ...user([{ type: 'text', text: 'x' }]) },
      sent: user([{ type: 'text', text: 'x' }]),
    },
    {
      claim: '2.5 name: family A',
      fields: { messages: [{ ...HI, name: 'ann' }] },
      sent: { messages: [{ ...HI, name: 'ann' }] },
    },
    {
      claim: '2.5 name: leads the text on family B',
      fields: { model: B, messages: [{ ...HI, name: 'ann' }] },
      sent: { messages: [{ content: [{ text: 'ann: Hi' }] }] },
    },
  ]);
  refused([
    {
      claim: '2.5 role: is required',
      fields: { messages: [{ content: 'x' }] },
      names: /^messages\[0\]\.role/,
    },
    {
      claim: '2.5 role: function is unknown',
      fields: { messages: [{ role: 'function', name: 'x', content: 'x' }] },
      names: /^messages\[0\]\.role/,
    },
    {
      claim: '2.5 content: is required of a user',
      fields: { messages: [{ role: 'user' }] },
      names: /^messages\[0\]\.content/,
    },
    { claim: '2.5 content: a number', fields: user(5), names: /^messages\[0\]\.content/ },
    {
      claim: '2.5 content: a block has a type',
      fields: user([{ text: 'x' }]),
      names: /^messages\[0\]\.content\[0\]\.type/,
    },
    {
      claim: '2.5 content: a block has text',
      fields: user([{ type: 'text' }]),
      names: /^messages\[0\]\.content\[0\]\.text/,
    },
    {
      claim: '2.5 content: a block has no other key',
      fields: user([{ type: 'text', text: 'x', other: 1 }]),
      names: /^messages\[0\]\.content\[0\]\.other/,
    },
    {
      claim: '2.5 role: no unknown key beside it',
      fields: { messages: [{ ...HI, other: 1 }] },
      names: /^messages\[0\]\.other/,
    },
    {
      claim: '2.5 name: must be text',
      fields: { messages: [{ ...HI, name: 5 }] },
      names: /^messages\[0\]\.name/,
    },
  ]);
});

describe('images, audio and files', () => {
  claim(MEDIA);
});

describe('an assistant turn and its tool results', () => {
  claim(TURNS);
});

describe('the answer', () => {
  test.each([A, B])(
    '2.6 id, object, created, model, choices, usage: a completion of %s',
    async (model) => {
      const { body } = await spec.accept('chat', { model });
      expect(body).toMatchObject({
        id: expect.stringMatching(/\w/),
        object: 'chat.completion',
        created: expect.any(Number),
        model: expect.stringMatching(/\w/),
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Grüße aus Zürich 🎉' },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 },
      });
      expect(Number.isInteger(body.created)).toBe(true);
    },
  );

  test('2.6 gateway: is absent unless asked for', async () => {
    const { body } = await spec.accept('chat', {});
    expect(body).not.toHaveProperty('gateway');
  });

  test('2.6 choices: what we answer may be sent back as it is', async () => {
    const turn = { call: { id: 'toolu_1', name: 'look', arguments: '{"a":1}' } };
    const counted = { input: 10, cached: 0, output: 5 };
    const answer = messagesAnswer({ turn, counted, stream: false });
    const first = await spec.accept('chat', { model: B, messages: [HI] }, { answer });
    expect(first.body.choices[0].finish_reason).toBe('tool_calls');
    const echo = [HI, first.body.choices[0].message, { ...RESULT, tool_call_id: 'toolu_1' }];
    for (const model of [A, B]) await spec.accept('chat', { model, messages: echo });
  });

  test.each([A, B])('6 chat route: chunks of %s end with usage and [DONE]', async (model) => {
    const frames = jsonFrames((await spec.accept('chat', { model, stream: true })).text);
    expect(frames.length).toBeGreaterThan(2);
    for (const frame of frames) {
      expect(frame).toMatchObject({
        id: frames[0].id,
        object: 'chat.completion.chunk',
        created: expect.any(Number),
        model: frames[0].model,
        choices: expect.any(Array),
      });
    }
  });
});
