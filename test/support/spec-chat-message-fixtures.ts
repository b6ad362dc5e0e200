export const HI = { role: 'user', content: 'Hi' };
export const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'look', arguments: '{"a":1}' },
};
export const CALLING = { role: 'assistant', content: null, tool_calls: [CALL] };
export const RESULT = { role: 'tool', tool_call_id: 'call_1', content: '21 °C' };
export const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
export const said = (fields: object) => ({ messages: [HI, { role: 'assistant', ...fields }, HI] });
