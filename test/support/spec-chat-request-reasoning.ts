import { BUDGETED, SEARCHING } from './spec-chat-request-fixtures.ts';
import { B, type Claims } from './spec-gateway.ts';

export const REASONING: Claims = {
  accepted: [
    {
      claim: '2.4 reasoning: effort on family A',
      fields: { reasoning: { effort: 'high' } },
      sent: { reasoning_effort: 'high' },
      without: ['reasoning'],
    },
    {
      claim: '2.4 reasoning: enabled false on family A',
      fields: { reasoning: { enabled: false } },
      sent: { reasoning_effort: 'none' },
    },
    {
      claim: '2.4 reasoning: effort and display on family B',
      fields: { model: B, reasoning: { effort: 'high', display: 'omitted' } },
      sent: {
        thinking: { type: 'adaptive', display: 'omitted' },
        output_config: { effort: 'high' },
      },
    },
    {
      claim: '2.4 reasoning: enabled false on family B',
      fields: { model: B, reasoning: { enabled: false } },
      sent: { thinking: { type: 'disabled' } },
    },
    {
      claim: '2.4 reasoning: max_tokens on a model with budgets',
      fields: { model: BUDGETED, reasoning: { max_tokens: 2048 } },
      sent: { thinking: { type: 'enabled', budget_tokens: 2048 } },
    },
    {
      claim: '2.4 reasoning_effort: family A',
      fields: { reasoning_effort: 'low' },
      sent: { reasoning_effort: 'low' },
    },
    {
      claim: '2.4 reasoning_effort: family B',
      fields: { model: B, reasoning_effort: 'max' },
      sent: { output_config: { effort: 'max' } },
      without: ['reasoning_effort'],
    },
    {
      claim: '2.4 reasoning_effort: the same as reasoning.effort',
      fields: { reasoning: { effort: 'low' }, reasoning_effort: 'low' },
      sent: { reasoning_effort: 'low' },
    },
    {
      claim: '2.4 reasoning_effort: none switches off',
      fields: { reasoning_effort: 'none' },
      sent: { reasoning_effort: 'none' },
    },
    {
      claim: '2.4 reasoning_max_tokens: a model with budgets',
      fields: { model: BUDGETED, reasoning_max_tokens: 4096 },
      sent: { thinking: { budget_tokens: 4096 } },
    },
    {
      claim: '2.4 reasoning_display: family B',
      fields: { model: B, reasoning_display: 'summarized' },
      sent: { thinking: { display: 'summarized' } },
    },
  ],
  refused: [
    {
      claim: '2.4 reasoning: no other property',
      fields: { reasoning: { summary: 'auto' } },
      names: /^reasoning\.summary/,
    },
    {
      claim: '2.4 reasoning: must be an object',
      fields: { reasoning: 'high' },
      names: /^reasoning must be/,
    },
    {
      claim: '2.4 reasoning: an effort that the model lacks',
      fields: { reasoning: { effort: 'minimal' } },
      names: /reasoning\.effort "minimal"/,
    },
    {
      claim: '2.4 reasoning: display on family A',
      fields: { reasoning: { display: 'omitted' } },
      names: /^reasoning\.display/,
    },
    {
      claim: '2.4 reasoning: an unknown display on family B',
      fields: { model: B, reasoning: { display: 'neon' } },
      names: /^reasoning\.display/,
    },
    {
      claim: '2.4 reasoning: max_tokens on a model without budgets',
      fields: { reasoning: { max_tokens: 2048 } },
      names: /^reasoning\.max_tokens/,
    },
    {
      claim: '2.4 reasoning: max_tokens below 1',
      fields: { model: BUDGETED, reasoning: { max_tokens: 0 } },
      names: /^reasoning\.max_tokens/,
    },
    {
      claim: "2.4 reasoning: max_tokens below the model's range",
      fields: { model: BUDGETED, reasoning: { max_tokens: 1023 } },
      names: /^reasoning\.max_tokens must be 1024/,
    },
    {
      claim: '2.4 reasoning: max_tokens not below the output cap',
      fields: { model: BUDGETED, max_tokens: 2048, reasoning: { max_tokens: 2048 } },
      names: /^reasoning\.max_tokens/,
    },
    {
      claim: '2.4 reasoning: switched on and off',
      fields: { reasoning: { enabled: true, effort: 'none' } },
      names: /^reasoning\.enabled/,
    },
    {
      claim: '2.4 reasoning: off with an effort',
      fields: { reasoning: { enabled: false, effort: 'low' } },
      names: /^reasoning\.enabled/,
    },
    {
      claim: '2.4 reasoning: off on a model that must reason',
      fields: { model: 'claude-fable-5', reasoning: { enabled: false } },
      names: /^reasoning/,
    },
    {
      claim: '2.4 reasoning: on a model that does not reason',
      fields: { model: SEARCHING, reasoning: { effort: 'low' } },
      names: /^reasoning/,
    },
    {
      claim: '2.4 reasoning_effort: none on a model that must reason',
      fields: { model: 'claude-fable-5', reasoning_effort: 'none' },
      names: /^reasoning/,
    },
    {
      claim: '2.4 reasoning_effort: another than reasoning.effort',
      fields: { reasoning: { effort: 'low' }, reasoning_effort: 'high' },
      names: /reasoning_effort/,
    },
    {
      claim: '2.4 reasoning_effort: must be text',
      fields: { reasoning_effort: 3 },
      names: /^reasoning_effort/,
    },
    {
      claim: '2.4 reasoning_max_tokens: another than reasoning.max_tokens',
      fields: { model: BUDGETED, reasoning: { max_tokens: 2048 }, reasoning_max_tokens: 4096 },
      names: /reasoning_max_tokens/,
    },
    {
      claim: '2.4 reasoning_max_tokens: below 1',
      fields: { model: BUDGETED, reasoning_max_tokens: 0 },
      names: /^reasoning_max_tokens/,
    },
    {
      claim: '2.4 reasoning_display: another than reasoning.display',
      fields: { model: B, reasoning: { display: 'omitted' }, reasoning_display: 'summarized' },
      names: /reasoning_display/,
    },
    {
      claim: '2.4 reasoning_display: family A',
      fields: { reasoning_display: 'omitted' },
      names: /display/,
    },
  ],
};
