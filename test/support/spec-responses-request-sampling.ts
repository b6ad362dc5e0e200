import { A, B, type Claims } from './spec-gateway.ts';
import { marked } from './spec-responses-request-fixtures.ts';

const onlyA = [
  ['top_logprobs', 5],
  ['frequency_penalty', 1.5],
  ['presence_penalty', -1.5],
] as const;
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const format = { type: 'json_schema', name: 'city', schema, strict: true };

export const SAMPLING: Claims = {
  accepted: [
    ...['temperature', 'top_p'].flatMap((name) =>
      [A, B].map((model) => ({
        claim: `2.7 ${name}: bounds are the provider's, ${model}`,
        fields: { model, [name]: 999 },
        sent: { [name]: 999 },
      })),
    ),
    { claim: '2.7 top_k: family B', fields: { model: B, top_k: 40 }, sent: { top_k: 40 } },
    ...onlyA.map(([name, value]) => ({
      claim: `2.7 ${name}: family A`,
      fields: { [name]: value },
      sent: { [name]: value },
    })),
    {
      claim: '2.7 stop_sequences: family B',
      fields: { model: B, stop_sequences: [...'abcdefg'] },
      sent: { stop_sequences: [...'abcdefg'] },
    },
    {
      claim: '2.7 stop_sequences: an empty list is absent on family A',
      fields: { stop_sequences: [] },
      without: ['stop_sequences'],
    },
    {
      claim: '2.7 max_output_tokens: family A',
      fields: { max_output_tokens: 77 },
      sent: { max_output_tokens: 77 },
    },
    {
      claim: '2.7 max_output_tokens: family B',
      fields: { model: B, max_output_tokens: 77 },
      sent: { max_tokens: 77 },
    },
    {
      claim: '2.7 max_output_tokens: zero warms a cache on family B',
      fields: { model: B, max_output_tokens: 0, input: marked(1) },
      sent: { max_tokens: 0 },
    },
    {
      claim: '2.7 text: a format and verbosity on family A',
      fields: { text: { format, verbosity: 'low', extra: 1 } },
      sent: { text: { format, verbosity: 'low', extra: 1 } },
    },
    {
      claim: '2.7 text: a format on family B',
      fields: { model: B, text: { format } },
      sent: { output_config: { format: { type: 'json_schema' } } },
    },
  ],
  refused: [
    ...['temperature', 'top_p'].map((name) => ({
      claim: `2.7 ${name}: must be a number`,
      fields: { [name]: '1' },
      names: new RegExp(`^${name}`),
    })),
    {
      claim: '2.7 temperature, top_p: not together on family B',
      fields: { model: B, temperature: 1, top_p: 1 },
      names: /temperature and top_p/,
    },
    { claim: '2.7 top_k: family A', fields: { top_k: 40 }, names: /^top_k/ },
    ...onlyA.map(([name, value]) => ({
      claim: `2.7 ${name}: family B`,
      fields: { model: B, [name]: value },
      names: new RegExp(`^${name}`),
    })),
    ...onlyA.map(([name]) => ({
      claim: `2.7 ${name}: of another type`,
      fields: { [name]: 'x' },
      names: new RegExp(`^${name}`),
    })),
    {
      claim: '2.7 top_logprobs: must be an integer',
      fields: { top_logprobs: 1.5 },
      names: /^top_logprobs/,
    },
    {
      claim: '2.7 stop_sequences: family A',
      fields: { stop_sequences: ['x'] },
      names: /^stop_sequences/,
    },
    {
      claim: '2.7 max_output_tokens: below 0',
      fields: { max_output_tokens: -1 },
      names: /^max_output_tokens/,
    },
    {
      claim: '2.7 max_output_tokens: zero on family A',
      fields: { max_output_tokens: 0 },
      names: /^max_output_tokens may be 0 only/,
    },
    {
      claim: '2.7 max_output_tokens: zero without a cache marker',
      fields: { model: B, max_output_tokens: 0 },
      names: /^max_output_tokens may be 0 only/,
    },
    {
      claim: "2.7 max_output_tokens: above the model's maximum",
      fields: { max_output_tokens: 128_001 },
      names: /^max_output_tokens is 128001/,
    },
    { claim: '2.7 text: must be an object', fields: { text: 'x' }, names: /^text/ },
    {
      claim: '2.7 text: a format has a type',
      fields: { text: { format: {} } },
      names: /^text\.format\.type/,
    },
    {
      claim: '2.7 text: verbosity on family B',
      fields: { model: B, text: { verbosity: 'low' } },
      names: /^text\.verbosity/,
    },
    {
      claim: '2.7 text: json_object on family B',
      fields: { model: B, text: { format: { type: 'json_object' } } },
      names: /^text\.format/,
    },
    {
      claim: '2.7 text: an extra key that family B has no place for',
      fields: { model: B, text: { extra: 1 } },
      names: /^text\.extra/,
    },
  ],
};
