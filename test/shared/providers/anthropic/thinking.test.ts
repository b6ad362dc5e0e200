import { describe, expect, test } from 'vitest';
import type { ReasoningIntent } from '../../../../shared/api/reasoning.ts';
import { thinkingSetup } from '../../../../shared/providers/anthropic/thinking.ts';
import { NEWEST, OLDEST } from './request-fixtures.ts';

describe('adaptive thinking', () => {
  test.each<[ReasoningIntent, object]>([
    [{}, {}],
    [{ enabled: true }, { thinking: { type: 'adaptive' } }],
    [{ enabled: false }, { thinking: { type: 'disabled' } }],
    [{ effort: 'none', summary: 'auto' }, { thinking: { type: 'disabled' } }],
    [{ effort: 'max' }, { thinking: { type: 'adaptive' }, effort: 'max' }],
    [{ summary: 'detailed' }, { thinking: { type: 'adaptive', display: 'summarized' } }],
    [{ display: 'omitted' }, { thinking: { type: 'adaptive', display: 'omitted' } }],
    [{ maxTokens: 2000 }, { thinking: { type: 'enabled', budget_tokens: 2000 } }],
  ])('%j', (intent, expected) => {
    expect(thinkingSetup(intent, NEWEST, 10_000)).toEqual(expected);
  });

  test.each<[ReasoningIntent, string]>([
    [{ effort: 'minimal' }, 'reasoning.effort'],
    [{ display: 'loud' }, 'reasoning.display'],
  ])('refuses %j', (intent, field) => {
    expect(() => thinkingSetup(intent, NEWEST, 10_000)).toThrow(field);
  });
});

describe('thinking where a budget must be named', () => {
  // 1,024 + floor(share x (cap - 1,024)), below the cap and the model's own maximum.
  test.each([
    [{ effort: 'low' }, 11_024, 1024 + 1500],
    [{ effort: 'medium' }, 11_025, 1024 + 4250],
    [{ enabled: true }, 11_024, 1024 + 4250],
    [{ summary: 'auto' }, 11_024, 1024 + 4250],
    [{ effort: 'high' }, 1025, 1024],
    [{ effort: 'max' }, 11_024, 11_023],
    [{ effort: 'max' }, 128_000, 63_999],
    [{ effort: 'low', maxTokens: 5000 }, 11_024, 5000],
  ])('%j under a cap of %d', (intent, cap, budget_tokens) => {
    const { thinking } = thinkingSetup(intent, OLDEST, cap);
    expect(thinking).toMatchObject({ type: 'enabled', budget_tokens });
  });

  test('the effort goes beside the budget', () => {
    expect(thinkingSetup({ effort: 'high' }, OLDEST, 64_000).effort).toBe('high');
  });

  test.each([0, 1024])('refuses a cap of %d, which leaves no room', (cap) => {
    expect(() => thinkingSetup({ effort: 'low' }, OLDEST, cap)).toThrow(/output cap/);
  });
});
