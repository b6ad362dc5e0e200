import { B, type Claims } from './spec-gateway.ts';

const both = ['temperature', 'top_p'].flatMap((name) => [
  {
    claim: `2.4 ${name}: bounds are the provider's, family A`,
    fields: { [name]: 999 },
    sent: { [name]: 999 },
  },
  {
    claim: `2.4 ${name}: bounds are the provider's, family B`,
    fields: { model: B, [name]: -3.5 },
    sent: { [name]: -3.5 },
  },
]);
const onlyA = [
  ['frequency_penalty', 1.5],
  ['presence_penalty', -1.5],
  ['logit_bias', { '50256': -100, '11': 3 }],
  ['logprobs', true],
  ['top_logprobs', 5],
] as const;

export const SAMPLING: Claims = {
  accepted: [
    ...both,
    {
      claim: '2.4 temperature, top_p: together on family A',
      fields: { temperature: 1, top_p: 0.5 },
      sent: { temperature: 1, top_p: 0.5 },
    },
    { claim: '2.4 top_k: family B', fields: { model: B, top_k: 40 }, sent: { top_k: 40 } },
    ...onlyA.map(([name, value]) => ({
      claim: `2.4 ${name}: family A`,
      fields: { [name]: value },
      sent: { [name]: value },
    })),
    { claim: '2.4 seed: family A', fields: { seed: 7 }, sent: { seed: 7 } },
    {
      claim: '2.4 seed: stays behind on family B',
      fields: { model: B, seed: 7 },
      without: ['seed'],
    },
    { claim: '2.4 n: 1', fields: { n: 1 }, without: ['n'] },
    { claim: '2.4 stop: text becomes a list', fields: { stop: 'END' }, sent: { stop: ['END'] } },
    {
      claim: '2.4 stop: how many is left to the provider',
      fields: { stop: [...'abcdefg'] },
      sent: { stop: [...'abcdefg'] },
    },
    {
      claim: '2.4 stop: family B has its own name for it',
      fields: { model: B, stop: 'END' },
      sent: { stop_sequences: ['END'] },
      without: ['stop'],
    },
    {
      claim: '2.4 stop_sequences: family B',
      fields: { model: B, stop_sequences: ['END', 'FIN'] },
      sent: { stop_sequences: ['END', 'FIN'] },
    },
    {
      claim: '2.4 stop_sequences: an empty list is absent on family A',
      fields: { stop_sequences: [], stop: 'x' },
      sent: { stop: ['x'] },
      without: ['stop_sequences'],
    },
  ],
  refused: [
    ...['temperature', 'top_p'].map((name) => ({
      claim: `2.4 ${name}: must be a number`,
      fields: { [name]: '1' },
      names: new RegExp(`^${name} must be a number`),
    })),
    {
      claim: '2.4 temperature, top_p: not together on family B',
      fields: { model: B, temperature: 1, top_p: 1 },
      names: /temperature and top_p/,
    },
    { claim: '2.4 top_k: family A', fields: { top_k: 40 }, names: /^top_k/ },
    {
      claim: '2.4 top_k: must be an integer',
      fields: { model: B, top_k: 1.5 },
      names: /^top_k must be an integer/,
    },
    ...onlyA.map(([name, value]) => ({
      claim: `2.4 ${name}: family B`,
      fields: { model: B, [name]: value },
      names: new RegExp(`^${name} is not taken`),
    })),
    ...onlyA.map(([name]) => ({
      claim: `2.4 ${name}: of another type`,
      fields: { [name]: 'x' },
      names: new RegExp(`^${name} must be`),
    })),
    {
      claim: '2.4 logit_bias: values are numbers',
      fields: { logit_bias: { '1': 'x' } },
      names: /^logit_bias/,
    },
    {
      claim: '2.4 seed: must be an integer',
      fields: { seed: 1.5 },
      names: /^seed must be an integer/,
    },
    {
      claim: '2.4 seed: must be an integer on family B too',
      fields: { model: B, seed: '1' },
      names: /^seed/,
    },
    { claim: '2.4 n: 2', fields: { n: 2 }, names: /^n must be 1/ },
    { claim: '2.4 n: 0', fields: { n: 0 }, names: /^n / },
    { claim: '2.4 stop: neither text nor list', fields: { stop: 5 }, names: /^stop/ },
    { claim: '2.4 stop: elements are text', fields: { stop: ['a', 5] }, names: /^stop/ },
    {
      claim: '2.4 stop_sequences: family A',
      fields: { stop_sequences: ['END'] },
      names: /^stop_sequences/,
    },
    {
      claim: '2.4 stop_sequences: must be a list',
      fields: { model: B, stop_sequences: 'END' },
      names: /^stop_sequences/,
    },
    {
      claim: '2.4 stop, stop_sequences: not both',
      fields: { model: B, stop: 'a', stop_sequences: ['a'] },
      names: /stop and stop_sequences/,
    },
  ],
};
