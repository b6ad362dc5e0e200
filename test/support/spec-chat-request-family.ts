import { B, type Claims } from './spec-gateway.ts';

const budget = { type: 'tokens', total: 20_000 };
const management = { edits: [{ type: 'clear_tool_uses_20250919' }] };

export const FAMILY: Claims = {
  accepted: [
    {
      claim: '2.4 task_budget: is forwarded',
      fields: { model: B, task_budget: budget },
      sent: { output_config: { task_budget: budget } },
    },
    {
      claim: '2.4 context_management: is forwarded',
      fields: { model: B, context_management: management },
      sent: { context_management: management },
    },
    ...['us', 'global'].map((geo) => ({
      claim: `2.4 inference_geo: ${geo}`,
      fields: { model: B, inference_geo: geo },
      sent: { inference_geo: geo },
    })),
    {
      claim: '2.4 speed: fast where available',
      fields: { model: 'claude-opus-5', speed: 'fast' },
      sent: { speed: 'fast' },
    },
    {
      claim: '2.4 service_tier: Azure takes default and auto, and has no field for it',
      fields: { provider: 'azure', service_tier: 'auto' },
      path: '/azure/chat/completions',
      without: ['service_tier'],
    },
    {
      claim: '2.4 speed: standard',
      fields: { model: 'claude-opus-5', speed: 'standard' },
      without: ['speed'],
    },
    ...[
      ['auto', 'default'],
      ['default', 'default'],
      ['flex', 'flex'],
      ['priority', 'priority'],
    ].map(([tier, sent]) => ({
      claim: `2.4 service_tier: ${tier} on family A`,
      fields: { service_tier: tier },
      sent: { service_tier: sent },
    })),
    ...[
      ['auto', 'auto'],
      ['priority', 'auto'],
      ['default', 'standard_only'],
      ['flex', 'standard_only'],
      ['standard', 'standard_only'],
      ['standard_only', 'standard_only'],
    ].map(([tier, sent]) => ({
      claim: `2.4 service_tier: ${tier} on family B`,
      fields: { model: B, service_tier: tier },
      sent: { service_tier: sent },
    })),
  ],
  refused: [
    ...Object.entries({
      task_budget: budget,
      context_management: management,
      inference_geo: 'us',
      speed: 'fast',
    }).map(([name, value]) => ({
      claim: `2.4 ${name}: family A`,
      fields: { [name]: value },
      names: new RegExp(`^${name}`),
    })),
    ...['task_budget', 'context_management', 'inference_geo', 'speed'].map((name) => ({
      claim: `2.4 ${name}: of another type`,
      fields: { model: B, [name]: 7 },
      names: new RegExp(`^${name}`),
    })),
    {
      claim: '2.4 inference_geo: an unknown region',
      fields: { model: B, inference_geo: 'eu' },
      names: /^inference_geo/,
    },
    {
      claim: '2.4 inference_geo: a model without regions',
      fields: { model: 'claude-opus-4-5', inference_geo: 'us' },
      names: /^inference_geo/,
    },
    {
      claim: '2.4 speed: a model without a fast deployment',
      fields: { model: B, speed: 'fast' },
      names: /^speed/,
    },
    { claim: '2.4 speed: an unknown one', fields: { model: B, speed: 'slow' }, names: /^speed/ },
    ...['scale', 'provisioned', 'standard', 'standard_only', ''].map((tier) => ({
      claim: `2.4 service_tier: ${JSON.stringify(tier)} on family A`,
      fields: { service_tier: tier },
      names: /^service_tier/,
    })),
    ...['scale', 'provisioned'].map((tier) => ({
      claim: `2.4 service_tier: ${tier} on family B`,
      fields: { model: B, service_tier: tier },
      names: /^service_tier/,
    })),
    {
      claim: '2.4 service_tier: flex at a provider without it',
      fields: { provider: 'azure', service_tier: 'flex' },
      names: /^service_tier/,
    },
  ],
};
