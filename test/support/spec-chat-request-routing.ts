import type { Claims } from './spec-gateway.ts';

export const ROUTING: Claims = {
  accepted: [
    {
      claim: '2.4 provider: a known identifier',
      fields: { provider: 'azure' },
      path: '/azure/chat/completions',
      without: ['provider', 'rules'],
    },
    {
      claim: '2.4 provider: a slug in any case',
      fields: { provider: 'Azure-OpenAI' },
      path: '/azure/chat/completions',
    },
    {
      claim: '2.4 rules: the same field by another name',
      fields: { rules: { only: ['azure'] } },
      path: '/azure/chat/completions',
      without: ['rules'],
    },
    {
      claim: '2.4 provider, rules: one may be null',
      fields: { provider: null, rules: 'azure' },
      path: '/azure/chat/completions',
    },
    {
      claim: '2.3 only: filters',
      fields: { provider: { only: ['azure'] } },
      path: '/azure/chat/completions',
      without: ['provider'],
    },
    {
      claim: '2.3 order: ranks',
      fields: { provider: { order: ['azure', 'openai'] } },
      path: '/azure/chat/completions',
    },
    {
      claim: '2.3 order: is applied after only',
      fields: { provider: { only: ['openai'], order: ['azure', 'openai'] } },
      path: '/openai/chat/completions',
    },
    {
      claim: '2.3 order: who is not named comes later',
      fields: { provider: { order: ['anthropic'] } },
      path: '/openai/chat/completions',
    },
  ],
  refused: [
    {
      claim: '2.4 provider, rules: not both',
      fields: { provider: 'azure', rules: 'azure' },
      names: /provider and rules/,
    },
    {
      claim: '2.4 provider: an unknown name',
      fields: { provider: 'nobody' },
      names: /^provider: "nobody"/,
    },
    { claim: '2.4 rules: an unknown name', fields: { rules: 'nobody' }, names: /^rules: "nobody"/ },
    {
      claim: '2.4 provider: one that does not offer the model',
      fields: { provider: 'anthropic' },
      names: /^provider/,
    },
    { claim: '2.4 provider: neither text nor object', fields: { provider: 5 }, names: /^provider/ },
    {
      claim: '2.3 only, order: at least one of the two',
      fields: { provider: {} },
      names: /^provider/,
    },
    {
      claim: '2.3 only: at least one element',
      fields: { provider: { only: [] } },
      names: /^provider\.only/,
    },
    {
      claim: '2.3 order: at least one element',
      fields: { rules: { order: [] } },
      names: /^rules\.order/,
    },
    {
      claim: '2.3 only: elements are text',
      fields: { provider: { only: [1] } },
      names: /^provider\.only\[0\]/,
    },
    {
      claim: '2.3 only: an unknown name',
      fields: { provider: { only: ['nobody'] } },
      names: /^provider\.only/,
    },
    {
      claim: '2.3 order: an unknown name',
      fields: { provider: { order: ['nobody'] } },
      names: /^provider\.order/,
    },
    {
      claim: '2.3 only, order: no other property',
      fields: { provider: { only: ['azure'], ignore: ['openai'] } },
      names: /^provider\.ignore/,
    },
  ],
};
