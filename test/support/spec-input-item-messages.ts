import { B, type Claims } from './spec-gateway.ts';
import { CALL, HI, list, toB } from './spec-input-item-fixtures.ts';

export const MESSAGES: Claims = {
  accepted: [
    ...['assistant', 'user', 'system', 'developer'].map((role) => ({
      claim: `2.8 role, message, type, ${role}: on family A`,
      fields: list({ type: 'message', role, content: 'x' }),
      sent: { input: [{}, { type: 'message', role, content: 'x' }] },
    })),
    {
      claim: '2.8 role: system on family B',
      fields: { model: B, input: [{ role: 'system', content: 'a' }, HI] },
      sent: { system: [{ text: 'a' }], messages: [{ role: 'user' }] },
    },
    {
      claim: '2.8 content: blocks get the name of their side',
      fields: { input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
      sent: { input: [{ content: [{ type: 'input_text', text: 'x' }] }] },
    },
    {
      claim: '2.8 content: blocks on family B',
      fields: { model: B, input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
      sent: { messages: [{ content: [{ type: 'text', text: 'x' }] }] },
    },
    {
      claim: '2.8 id, status: echoed ones refer to nothing',
      fields: list({
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'x', annotations: [] }],
      }),
      sent: { input: [{}, { role: 'assistant' }] },
    },
    {
      claim: '2.8 refusal: becomes what the assistant said, family A',
      fields: list({ type: 'refusal', refusal: 'No.' }),
      sent: {
        input: [
          {},
          { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
        ],
      },
    },
    {
      claim: '2.8 refusal: becomes what the assistant said, family B',
      fields: toB({ type: 'refusal', refusal: 'No.' }),
      sent: { messages: [{}, { role: 'assistant', content: [{ type: 'text', text: 'No.' }] }] },
    },
  ],
  refused: [
    {
      claim: '2.8 role: tool is unknown here',
      fields: list({ type: 'message', role: 'tool', content: 'x' }),
      names: /^input\[1\]\.role/,
    },
    {
      claim: '2.8 content: is required of a message',
      fields: list({ type: 'message', role: 'user' }),
      names: /^input\[1\]\.content/,
    },
    {
      claim: '2.8 content: no other key in a block',
      fields: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x', other: 1 }] }] },
      names: /^input\[0\]\.content\[0\]\.other/,
    },
    {
      claim: '2.8 type: an unknown one',
      fields: list({ type: 'computer_call' }),
      names: /^input\[1\]\.type/,
    },
    { claim: '2.8 type: nothing to tell the item by', fields: list({}), names: /^input\[1\]/ },
    {
      claim: '2.8 item_reference: the service stores nothing',
      fields: list({ type: 'item_reference', id: 'msg_1' }),
      names: /^input\[1\]\.type "item_reference"|^input\[1\].*stores/,
    },
    {
      claim: '2.8 item_reference: an ID alone is one',
      fields: list({ id: 'msg_1' }),
      names: /^input\[1\]/,
    },
    { claim: '2.8 id: must be text', fields: list({ ...CALL, id: 5 }), names: /^input\[1\]\.id/ },
    {
      claim: '2.8 status: must be text',
      fields: list({ ...CALL, status: 5 }),
      names: /^input\[1\]\.status/,
    },
  ],
};
