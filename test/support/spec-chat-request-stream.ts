import { A, B, type Claims } from './spec-gateway.ts';

export const STREAM: Claims = {
  accepted: [
    { claim: '2.4 model: by its ID', fields: { model: A }, sent: { model: A } },
    { claim: '2.4 model: by an alias', fields: { model: 'gpt-5.6' }, sent: { model: A } },
    {
      claim: '2.4 messages: text reaches family A',
      fields: {},
      sent: { messages: [{ role: 'user', content: 'Hi' }] },
    },
    {
      claim: '2.4 messages: text reaches family B',
      fields: { model: B },
      sent: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    },
    {
      claim: '2.4 stream: false is the default',
      fields: {},
      without: ['stream', 'stream_options'],
    },
    {
      claim: '2.4 stream: true reaches family A with its usage',
      fields: { stream: true },
      sent: { stream: true, stream_options: { include_usage: true } },
    },
    {
      claim: '2.4 stream: true reaches family B',
      fields: { model: B, stream: true },
      sent: { stream: true },
      without: ['stream_options'],
    },
    {
      claim: '2.4 stream_options: include_usage is forced to true',
      fields: { stream: true, stream_options: { include_usage: false } },
      sent: { stream_options: { include_usage: true } },
    },
  ],
  refused: [
    { claim: '2.4 model: is required', fields: { model: undefined }, names: /^model is required/ },
    { claim: '2.4 model: must be text', fields: { model: 5 }, names: /^model must be/ },
    { claim: '2.4 model: must not be empty', fields: { model: '' }, names: /^model/ },
    { claim: '2.4 model: an unknown one', fields: { model: 'gpt-0' }, names: /^model: "gpt-0"/ },
    {
      claim: '2.4 messages: are required',
      fields: { messages: undefined },
      names: /^messages is required/,
    },
    { claim: '2.4 messages: an empty list', fields: { messages: [] }, names: /^messages/ },
    { claim: '2.4 messages: text is no list', fields: { messages: 'Hi' }, names: /^messages/ },
    {
      claim: '2.4 messages: an element must be an object',
      fields: { messages: ['Hi'] },
      names: /^messages\[0\]/,
    },
    {
      claim: '2.4 stream: must be true or false',
      fields: { stream: 'yes' },
      names: /^stream must/,
    },
    {
      claim: '2.4 stream_options: require stream',
      fields: { stream_options: { include_usage: true } },
      names: /^stream_options/,
    },
    {
      claim: '2.4 stream_options: include_obfuscation',
      fields: { stream: true, stream_options: { include_obfuscation: true } },
      names: /include_obfuscation/,
    },
    {
      claim: '2.4 stream_options: no other property',
      fields: { stream: true, stream_options: { other: 1 } },
      names: /stream_options\.other/,
    },
    {
      claim: '2.4 stream_options: include_usage must be a boolean',
      fields: { stream: true, stream_options: { include_usage: 1 } },
      names: /stream_options\.include_usage/,
    },
    { claim: '2.4 model: no unknown field beside it', fields: { surprise: 1 }, names: /^surprise/ },
  ],
};
