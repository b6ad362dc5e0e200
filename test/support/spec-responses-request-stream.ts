import { A, B, type Claims } from './spec-gateway.ts';

export const STREAM: Claims = {
  accepted: [
    { claim: '2.7 model: by its ID', fields: {}, sent: { model: A }, path: '/openai/responses' },
    {
      claim: '2.7 model: family B',
      fields: { model: B },
      sent: { model: B },
      path: '/anthropic/messages',
    },
    {
      claim: '2.7 provider, rules: as on the other route',
      fields: { provider: { only: ['azure'] } },
      path: '/azure/responses',
      without: ['provider'],
    },
    {
      claim: '2.7 rules: an alias of provider',
      fields: { rules: 'AZURE' },
      path: '/azure/responses',
      without: ['rules'],
    },
    { claim: '2.7 input: text on family A', fields: { input: 'Hello' }, sent: { input: 'Hello' } },
    {
      claim: '2.7 input: text on family B',
      fields: { model: B, input: 'Hello' },
      sent: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
    },
    {
      claim: '2.7 input: a list of items',
      fields: { input: [{ role: 'user', content: 'Hello' }] },
      sent: { input: [{ type: 'message', role: 'user', content: 'Hello' }] },
    },
    { claim: '2.7 stream: false is the default', fields: {}, without: ['stream'] },
    { claim: '2.7 stream: true', fields: { stream: true }, sent: { stream: true } },
    {
      claim: '2.7 stream_options: include_obfuscation',
      fields: { stream: true, stream_options: { include_obfuscation: false } },
      sent: { stream_options: { include_obfuscation: false } },
    },
    {
      claim: '2.7 instructions: family A',
      fields: { instructions: 'Be brief' },
      sent: { instructions: 'Be brief' },
    },
    {
      claim: '2.7 instructions: family B',
      fields: { model: B, instructions: 'Be brief' },
      sent: { system: [{ type: 'text', text: 'Be brief' }] },
    },
    {
      claim: '2.7 truncation: family A',
      fields: { truncation: 'auto' },
      sent: { truncation: 'auto' },
    },
    {
      claim: '2.7 truncation: its neutral value on family B',
      fields: { model: B, truncation: 'disabled' },
      without: ['truncation'],
    },
    {
      claim: "2.7 include: values are the provider's",
      fields: { include: ['message.output_text.logprobs'] },
      sent: { include: ['message.output_text.logprobs', 'reasoning.encrypted_content'] },
    },
    {
      claim: '2.7 include: an empty list is absent on family B',
      fields: { model: B, include: [] },
      without: ['include'],
    },
  ],
  refused: [
    { claim: '2.7 model: is required', fields: { model: undefined }, names: /^model is required/ },
    {
      claim: '2.7 provider, rules: not both',
      fields: { provider: 'azure', rules: 'azure' },
      names: /provider and rules/,
    },
    { claim: '2.7 input: is required', fields: { input: undefined }, names: /^input is required/ },
    { claim: '2.7 input: an empty list', fields: { input: [] }, names: /^input/ },
    { claim: '2.7 input: neither text nor list', fields: { input: 5 }, names: /^input/ },
    { claim: '2.7 stream: must be a boolean', fields: { stream: 1 }, names: /^stream/ },
    {
      claim: '2.7 stream_options: require stream',
      fields: { stream_options: { include_obfuscation: false } },
      names: /^stream_options/,
    },
    {
      claim: '2.7 stream_options: include_usage',
      fields: { stream: true, stream_options: { include_usage: true } },
      names: /include_usage/,
    },
    {
      claim: '2.7 stream_options: no other property',
      fields: { stream: true, stream_options: { other: 1 } },
      names: /stream_options\.other/,
    },
    {
      claim: '2.7 instructions: must be text',
      fields: { instructions: ['x'] },
      names: /^instructions/,
    },
    { claim: '2.7 truncation: must be text', fields: { truncation: true }, names: /^truncation/ },
    {
      claim: '2.7 truncation: no equivalent on family B',
      fields: { model: B, truncation: 'auto' },
      names: /^truncation/,
    },
    { claim: '2.7 include: family B', fields: { model: B, include: ['x'] }, names: /^include/ },
    { claim: '2.7 include: elements are text', fields: { include: [1] }, names: /^include/ },
    { claim: '2.7 model: no unknown field beside it', fields: { surprise: 1 }, names: /^surprise/ },
    {
      claim: '2.7 stop_sequences: the route has no top-level stop',
      fields: { stop: 'x' },
      names: /^stop/,
    },
    {
      claim: "2.7 max_output_tokens: not by the other route's name",
      fields: { max_tokens: 5 },
      names: /^max_tokens/,
    },
  ],
};
