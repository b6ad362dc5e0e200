import { FUNCTION, MARK, marked } from './spec-chat-request-fixtures.ts';
import { B, type Claims } from './spec-gateway.ts';

const longest = `${'é'.repeat(127)}ab`;
const text = (ttl?: string) => ({
  type: 'text',
  text: 'x',
  cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
});

export const CACHING: Claims = {
  accepted: [
    {
      claim: '2.4 prompt_cache_key: family A',
      fields: { prompt_cache_key: longest },
      sent: { prompt_cache_key: longest },
    },
    ...[
      ['in-memory', 'in_memory'],
      ['24h', '24h'],
      ['24hours', '24h'],
    ].map(([given, sent]) => ({
      claim: `2.4 prompt_cache_retention: ${given}`,
      fields: { prompt_cache_retention: given },
      sent: { prompt_cache_retention: sent },
    })),
    {
      claim: '2.4 cache_control: family B',
      fields: { model: B, cache_control: { type: 'ephemeral', ttl: '1h' } },
      sent: { cache_control: { type: 'ephemeral', ttl: '1h' } },
    },
    {
      claim: '2.4 cache_control: its place on content is kept',
      fields: {
        model: B,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, text('5m')] }],
      },
      sent: {
        messages: [
          { content: [{ text: 'x' }, { cache_control: { type: 'ephemeral', ttl: '5m' } }] },
        ],
      },
    },
    {
      claim: '2.4 cache_control: its place on tools is kept',
      fields: { model: B, tools: [{ ...FUNCTION, cache_control: MARK }] },
      sent: { tools: [{ name: 'look', cache_control: MARK }] },
    },
    { claim: '2.4 cache_control: four markers', fields: { model: B, messages: marked(4) } },
  ],
  refused: [
    {
      claim: '2.4 prompt_cache_key: family B',
      fields: { model: B, prompt_cache_key: 'x' },
      names: /^prompt_cache_key/,
    },
    ...['', 'a'.repeat(257), 'é'.repeat(129), 'a\0b', 'a\rb', 'a\nb'].map((key) => ({
      claim: `2.4 prompt_cache_key: ${JSON.stringify(key.slice(0, 5))} of ${Buffer.byteLength(key)} bytes`,
      fields: { prompt_cache_key: key },
      names: /^prompt_cache_key/,
    })),
    {
      claim: '2.4 prompt_cache_key: must be text',
      fields: { prompt_cache_key: 5 },
      names: /^prompt_cache_key/,
    },
    {
      claim: '2.4 prompt_cache_retention: family B',
      fields: { model: B, prompt_cache_retention: '24h' },
      names: /^prompt_cache_retention/,
    },
    {
      claim: '2.4 prompt_cache_retention: must be text',
      fields: { prompt_cache_retention: 24 },
      names: /^prompt_cache_retention/,
    },
    {
      claim: '2.4 cache_control: family A',
      fields: { cache_control: MARK },
      names: /^cache_control/,
    },
    {
      claim: '2.4 cache_control: family A, on content',
      fields: { messages: marked(1) },
      names: /^messages\[0\]\.content\[0\]\.cache_control/,
    },
    {
      claim: '2.4 cache_control: family A, on tools',
      fields: { tools: [{ ...FUNCTION, cache_control: MARK }] },
      names: /^tools\[0\]\.cache_control/,
    },
    {
      claim: '2.4 cache_control: another type',
      fields: { model: B, cache_control: { type: 'forever' } },
      names: /^cache_control\.type/,
    },
    {
      claim: '2.4 cache_control: another ttl',
      fields: { model: B, cache_control: { type: 'ephemeral', ttl: '2h' } },
      names: /^cache_control\.ttl/,
    },
    {
      claim: '2.4 cache_control: no other property',
      fields: { model: B, cache_control: { type: 'ephemeral', scope: 'x' } },
      names: /^cache_control\.scope/,
    },
    {
      claim: '2.4 cache_control: five markers',
      fields: { model: B, messages: marked(5) },
      names: /cache_control/,
    },
    {
      claim: '2.4 cache_control: a longer life after a shorter',
      fields: { model: B, messages: [{ role: 'user', content: [text('5m'), text('1h')] }] },
      names: /cache_control/,
    },
  ],
};
