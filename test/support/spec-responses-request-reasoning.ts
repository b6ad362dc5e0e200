import { B, type Claims } from './spec-gateway.ts';
import { BUDGETED } from './spec-responses-request-fixtures.ts';

export const REASONING: Claims = {
  accepted: [
    {
      claim: '2.7 reasoning: effort and summary on family A',
      fields: { reasoning: { effort: 'high', summary: 'auto' } },
      sent: { reasoning: { effort: 'high', summary: 'auto' } },
    },
    {
      claim: '2.7 reasoning: generate_summary is summary',
      fields: { reasoning: { generate_summary: 'auto' } },
      sent: { reasoning: { summary: 'auto' } },
    },
    {
      claim: '2.7 reasoning: effort and summary on family B',
      fields: { model: B, reasoning: { effort: 'high', summary: 'auto' } },
      sent: {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'high' },
      },
    },
    {
      claim: '2.7 reasoning: max_tokens on a model with budgets',
      fields: { model: BUDGETED, reasoning: { max_tokens: 2048 } },
      sent: { thinking: { type: 'enabled', budget_tokens: 2048 } },
    },
    {
      claim: '2.7 reasoning: none',
      fields: { reasoning: { effort: 'none' } },
      sent: { reasoning: { effort: 'none' } },
    },
    {
      claim: '2.7 reasoning.effort: a top-level property on family A',
      fields: { 'reasoning.effort': 'low' },
      sent: { reasoning: { effort: 'low' } },
      without: ['reasoning.effort'],
    },
    {
      claim: '2.7 reasoning.effort: a top-level property on family B',
      fields: { model: B, 'reasoning.effort': 'low' },
      sent: { output_config: { effort: 'low' } },
      without: ['reasoning.effort'],
    },
  ],
  refused: [
    {
      claim: '2.7 reasoning: no other property',
      fields: { reasoning: { enabled: true } },
      names: /^reasoning\.enabled/,
    },
    {
      claim: '2.7 reasoning: an unknown effort',
      fields: { reasoning: { effort: 'huge' } },
      names: /reasoning\.effort "huge"/,
    },
    {
      claim: '2.7 reasoning: max_tokens without budgets',
      fields: { reasoning: { max_tokens: 2048 } },
      names: /^reasoning\.max_tokens/,
    },
    {
      claim: '2.7 reasoning: max_tokens below 1',
      fields: { model: BUDGETED, reasoning: { max_tokens: 0 } },
      names: /^reasoning\.max_tokens/,
    },
    {
      claim: '2.7 reasoning: two different summaries',
      fields: { reasoning: { summary: 'auto', generate_summary: 'detailed' } },
      names: /summary/,
    },
    {
      claim: '2.7 reasoning: none on a model that must reason',
      fields: { model: 'claude-fable-5', reasoning: { effort: 'none' } },
      names: /^reasoning/,
    },
    {
      claim: '2.7 reasoning.effort: another than inside reasoning',
      fields: { 'reasoning.effort': 'low', reasoning: { effort: 'high' } },
      names: /reasoning\.effort/,
    },
    {
      claim: '2.7 reasoning.effort: must be text',
      fields: { 'reasoning.effort': 5 },
      names: /reasoning\.effort/,
    },
  ],
};
