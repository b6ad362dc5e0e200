import { CALL, CALLING, HI, RESULT, said } from './spec-chat-message-fixtures.ts';
import { A, B, type Claims } from './spec-gateway.ts';

export const TURNS: Claims = {
  accepted: [
    {
      claim: '2.5 tool_calls: family A',
      fields: { messages: [HI, CALLING, RESULT] },
      sent: { messages: [HI, { role: 'assistant', tool_calls: [CALL] }, RESULT] },
    },
    {
      claim: '2.5 tool_calls, tool_call_id: family B',
      fields: { model: B, messages: [HI, CALLING, RESULT] },
      sent: {
        messages: [
          { role: 'user' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { a: 1 } }],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'call_1',
                content: [{ type: 'text', text: '21 °C' }],
              },
            ],
          },
        ],
      },
    },
    {
      claim: '2.5 refusal: family A',
      fields: said({ refusal: 'No.' }),
      sent: said({ refusal: 'No.' }),
    },
    {
      claim: '2.5 refusal: is text on family B',
      fields: { model: B, ...said({ refusal: 'No.' }) },
      sent: { messages: [{}, { role: 'assistant', content: [{ type: 'text', text: 'No.' }] }, {}] },
    },
    ...[A, B].flatMap((model) => [
      {
        claim: `2.5 reasoning: stays behind on ${model}`,
        fields: { model, ...said({ content: 'x', reasoning: 'thought' }) },
      },
      {
        claim: `2.5 annotations: stay behind on ${model}`,
        fields: {
          model,
          ...said({
            content: 'x',
            annotations: [{ type: 'url_citation', url_citation: { url: 'https://x.example' } }],
          }),
        },
      },
      {
        claim: `2.5 reasoning_details: without a signature are harmless on ${model}`,
        fields: {
          model,
          ...said({
            content: 'x',
            reasoning_details: [{ type: 'reasoning.summary', summary: 'thought' }],
          }),
        },
      },
    ]),
    {
      claim: '2.5 reasoning_details: signed thinking returns to family B',
      fields: {
        model: B,
        ...said({
          content: 'x',
          reasoning_details: [{ type: 'reasoning.text', text: 'thought', signature: 'sig' }],
        }),
      },
      sent: {
        messages: [
          {},
          {
            content: [
              { type: 'thinking', thinking: 'thought', signature: 'sig' },
              { type: 'text', text: 'x' },
            ],
          },
          {},
        ],
      },
    },
    {
      claim: '2.5 reasoning_details: signed thinking stays behind on family A',
      fields: said({
        content: 'x',
        reasoning_details: [{ type: 'reasoning.text', text: 'thought', signature: 'sig' }],
      }),
      sent: said({ content: 'x' }),
    },
    {
      claim: '2.5 tool_calls: what the SDK adds is left out',
      fields: {
        messages: [
          HI,
          {
            ...CALLING,
            tool_calls: [
              { ...CALL, index: 0, function: { ...CALL.function, parsed_arguments: { a: 1 } } },
            ],
          },
          RESULT,
        ],
      },
      sent: { messages: [HI, { tool_calls: [CALL] }, RESULT] },
    },
  ],
  refused: [
    {
      claim: '2.5 tool_call_id: is required of a tool',
      fields: { messages: [HI, CALLING, { role: 'tool', content: 'x' }] },
      names: /^messages\[2\]\.tool_call_id/,
    },
    {
      claim: '2.5 tool_call_id: a call that family B did not make',
      fields: { model: B, messages: [HI, CALLING, { ...RESULT, tool_call_id: 'call_2' }] },
      names: /^messages\[2\]\.tool_call_id/,
    },
    {
      claim: '2.5 tool_calls: without a result on family B',
      fields: { model: B, messages: [HI, CALLING, HI] },
      names: /call_1/,
    },
    {
      claim: '2.5 tool_calls: arguments are text',
      fields: said({ tool_calls: [{ ...CALL, function: { name: 'look', arguments: {} } }] }),
      names: /arguments/,
    },
    {
      claim: '2.5 tool_calls: arguments that are no JSON object on family B',
      fields: {
        model: B,
        messages: [
          HI,
          { ...CALLING, tool_calls: [{ ...CALL, function: { name: 'look', arguments: '[1' } }] },
          RESULT,
        ],
      },
      names: /arguments/,
    },
    {
      claim: '2.5 tool_calls: an unknown type',
      fields: said({ tool_calls: [{ ...CALL, type: 'other' }] }),
      names: /^messages\[1\]\.tool_calls\[0\]\.type/,
    },
    {
      claim: '2.5 refusal: must be text',
      fields: said({ refusal: 5 }),
      names: /^messages\[1\]\.refusal/,
    },
    {
      claim: '2.5 reasoning: must be text',
      fields: said({ content: 'x', reasoning: 5 }),
      names: /^messages\[1\]\.reasoning/,
    },
    {
      claim: '2.5 reasoning_details: must be a list of objects',
      fields: said({ content: 'x', reasoning_details: ['x'] }),
      names: /^messages\[1\]\.reasoning_details/,
    },
    {
      claim: '2.5 annotations: must be a list of objects',
      fields: said({ content: 'x', annotations: 'x' }),
      names: /^messages\[1\]\.annotations/,
    },
  ],
};
