import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerUsage,
  createUsageState,
  executed,
  meteredUsage,
  readUsage,
  reasoningTokens,
} from '../../../../shared/providers/anthropic/usage.ts';

function stateOf(...usages: unknown[]) {
  const state = createUsageState();
  // Usage objects come from parsed JSON.
  const parsed = JSON.parse(JSON.stringify(usages));
  for (const [position, usage] of parsed.entries()) readUsage(state, usage, position > 0);
  return state;
}

const count = fc.nat({ max: 1_000_000 });
const usage = fc.record(
  {
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    cache_creation: fc.record({
      ephemeral_5m_input_tokens: count,
      ephemeral_1h_input_tokens: count,
    }),
    output_tokens_details: fc.record({ thinking_tokens: count }),
    server_tool_use: fc.record({ web_search_requests: fc.nat({ max: 20 }) }),
    iterations: fc.array(
      fc.record({
        type: fc.constantFrom('compaction', 'message'),
        input_tokens: count,
        output_tokens: count,
        cache_read_input_tokens: count,
        cache_creation_input_tokens: count,
      }),
    ),
  },
  { requiredKeys: [] },
);

describe('usage', () => {
  it('is cumulative: reading the same values again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(usage, { minLength: 1, maxLength: 4 }), (usages) => {
        const merged = Object.assign({}, ...usages);
        const once = stateOf({}, merged);
        expect(answerUsage(stateOf({}, ...usages, merged))).toEqual(answerUsage(once));
        expect(answerUsage(stateOf(merged, merged, merged))).toEqual(answerUsage(once));
      }),
    );
  });

  it('adds up: the meters do not overlap and make what the client is told', () => {
    fc.assert(
      fc.property(fc.array(usage, { minLength: 1, maxLength: 4 }), (usages) => {
        const state = stateOf({ input_tokens: 1, output_tokens: 1 }, ...usages);
        const told = answerUsage(state);
        const {
          output_tokens,
          anthropic_web_search_calls: _calls,
          ...inputs
        } = meteredUsage(state, false) ?? {};
        const input = Object.values(inputs).reduce((sum, tokens) => sum + tokens, 0);
        expect(input).toBe(told.inputTokens);
        expect(output_tokens).toBe(told.outputTokens);
        expect(told.cachedTokens + told.cacheWriteTokens).toBeLessThanOrEqual(told.inputTokens);
        expect(reasoningTokens(state)).toBeLessThanOrEqual(told.outputTokens);
      }),
    );
  });

  it('writes that no event splits count as five-minute ones, also those that came later', () => {
    const start = {
      input_tokens: 10,
      cache_creation_input_tokens: 500,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 500 },
    };
    const later = { output_tokens: 4, cache_creation_input_tokens: 800 };
    expect(meteredUsage(stateOf(start, later), true)).toEqual({
      input_tokens: 10,
      cache_write_1h_input_tokens: 500,
      cache_write_5m_input_tokens: 300,
      output_tokens: 4,
    });
  });

  it('the runs that compact the context are billed beside the other fields', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
      { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
    ];
    const state = stateOf({}, { input_tokens: 23_000, output_tokens: 1_000, iterations });
    expect(meteredUsage(state, true)).toEqual({ input_tokens: 203_000, output_tokens: 4_500 });
  });

  it.each([
    ['nothing at all', [undefined, undefined]],
    ['no input', [{}, { output_tokens: 5 }]],
    [
      'no count that is a whole number',
      [{ input_tokens: '7' }, { input_tokens: -1, output_tokens: 0.5 }],
    ],
    ['only the guess of the start event', [{ input_tokens: 7, output_tokens: 1 }, {}]],
  ])('is not usable for a complete answer with %s', (_name, usages) => {
    expect(meteredUsage(stateOf(...usages.map((value) => value ?? null)), true)).toBeUndefined();
  });

  it('names what was executed, and leaves out what the provider does not say', () => {
    const said = { service_tier: 'standard', speed: 'fast', inference_geo: 'us' };
    expect(executed(stateOf({}, said))).toEqual({
      serviceTier: 'standard',
      speed: 'fast',
      inferenceGeo: 'us',
    });
    expect(executed(stateOf({ inference_geo: 'not_available', speed: null }))).toEqual({});
  });

  it('counts the searches that the provider bills', () => {
    const searched = {
      input_tokens: 1,
      output_tokens: 1,
      server_tool_use: { web_search_requests: 3 },
    };
    expect(meteredUsage(stateOf({}, searched, searched), true)).toMatchObject({
      anthropic_web_search_calls: 3,
    });
  });
});
