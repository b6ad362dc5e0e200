import { B, type Claims } from './spec-gateway.ts';
import { MARK, marked } from './spec-responses-request-fixtures.ts';

const budget = { type: 'tokens', total: 20_000 };
const management = { edits: [{ type: 'clear_tool_uses_20250919' }] };
const onlyB = {
  cache_control: MARK,
  task_budget: budget,
  context_management: management,
  inference_geo: 'us',
  speed: 'fast',
};

export const FAMILY: Claims = {
  accepted: [
    {
      claim: '2.7 prompt_cache_key: family A',
      fields: { prompt_cache_key: 'k' },
      sent: { prompt_cache_key: 'k' },
    },
    {
      claim: '2.7 prompt_cache_retention: aliases are normalized',
      fields: { prompt_cache_retention: 'in-memory' },
      sent: { prompt_cache_retention: 'in_memory' },
    },
    {
      claim: '2.7 cache_control: family B',
      fields: { model: B, cache_control: { type: 'ephemeral', ttl: '5m' } },
      sent: { cache_control: { type: 'ephemeral', ttl: '5m' } },
    },
    {
      claim: '2.7 cache_control: its place on content is kept',
      fields: { model: B, input: marked(2) },
      sent: { messages: [{ content: [{ cache_control: MARK }, { cache_control: MARK }] }] },
    },
    {
      claim: '2.7 task_budget: is forwarded',
      fields: { model: B, task_budget: budget },
      sent: { output_config: { task_budget: budget } },
    },
    {
      claim: '2.7 context_management: is forwarded',
      fields: { model: B, context_management: management },
      sent: { context_management: management },
    },
    {
      claim: '2.7 inference_geo: family B',
      fields: { model: B, inference_geo: 'us' },
      sent: { inference_geo: 'us' },
    },
    {
      claim: '2.7 speed: family B',
      fields: { model: 'claude-opus-5', speed: 'fast' },
      sent: { speed: 'fast' },
    },
    {
      claim: '2.7 service_tier: family A',
      fields: { service_tier: 'flex' },
      sent: { service_tier: 'flex' },
    },
    {
      claim: '2.7 service_tier: family B',
      fields: { model: B, service_tier: 'priority' },
      sent: { service_tier: 'auto' },
    },
    {
      claim: '2.7 metadata: stays behind',
      fields: { metadata: { team: 'search' } },
      without: ['metadata'],
    },
    { claim: '2.7 store: family A is forced to false', fields: {}, sent: { store: false } },
  ],
  refused: [
    ...Object.entries(onlyB).map(([name, value]) => ({
      claim: `2.7 ${name}: family A`,
      fields: { [name]: value },
      names: new RegExp(`^${name}`),
    })),
    {
      claim: '2.7 prompt_cache_key: family B',
      fields: { model: B, prompt_cache_key: 'k' },
      names: /^prompt_cache_key/,
    },
    {
      claim: '2.7 prompt_cache_key: 257 bytes',
      fields: { prompt_cache_key: 'k'.repeat(257) },
      names: /^prompt_cache_key/,
    },
    {
      claim: '2.7 prompt_cache_retention: family B',
      fields: { model: B, prompt_cache_retention: '24h' },
      names: /^prompt_cache_retention/,
    },
    {
      claim: '2.7 cache_control: five markers',
      fields: { model: B, input: marked(5) },
      names: /cache_control/,
    },
    {
      claim: '2.7 cache_control: family A, on content',
      fields: { input: marked(1) },
      names: /^input\[0\]\.content\[0\]\.cache_control/,
    },
    {
      claim: '2.7 service_tier: family A',
      fields: { service_tier: 'scale' },
      names: /^service_tier/,
    },
    {
      claim: '2.7 speed: no such deployment',
      fields: { model: B, speed: 'fast' },
      names: /^speed/,
    },
    {
      claim: '2.7 metadata: values are text',
      fields: { metadata: { a: null } },
      names: /^metadata/,
    },
  ],
};
