import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/api/json.ts';
import { priceUsage } from '../../../shared/pricing/cost.ts';
import {
  estimatedUsage,
  estimateHold,
  type HoldEstimate,
} from '../../../shared/pricing/estimate.ts';
import type { HostedToolPlan } from '../../../shared/pricing/hold-plan.ts';
import { countRequestTokens } from '../../../shared/pricing/request-tokens.ts';
import type { Usage } from '../../../shared/pricing/usage.ts';
import { ANTHROPIC_OPUS, deploymentWith } from './deployments.ts';

const GPT = deploymentWith({});
const NO_TOOLS: HostedToolPlan = { callCaps: {}, feedsInput: false };
const SEARCH: HostedToolPlan = { callCaps: { anthropic_web_search_calls: 5 }, feedsInput: true };
const SENTENCE = 'The ferry left the harbour a little after six, when the light was still grey. ';

function hold(
  deployment: typeof GPT,
  body: JsonObject,
  outputCapTokens?: number,
  plan = NO_TOOLS,
): HoldEstimate {
  const request = { api: 'messages', headers: {}, body } as const;
  return estimateHold({ deployment, request, outputCapTokens, plan });
}

function promptOf(text: string, extra: JsonObject = {}): JsonObject {
  return { model: 'example', messages: [{ role: 'user', content: text }], ...extra };
}

/** Splits a number of tokens over meters that share it. */
function share(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((left, right) => left + right, 0) || 1;
  return weights.map((weight) => Math.floor((total * weight) / sum));
}

describe('a hold', () => {
  test('covers every usage within its tokens and the context window', () => {
    const cases = fc.record({
      size: fc.constantFrom(1, 20, 3_000, 16_000),
      cap: fc.option(fc.nat(128_000), { nil: undefined }),
      weights: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      hour: fc.boolean(),
      feedsInput: fc.boolean(),
      anthropic: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ size, cap, weights, used, hour, feedsInput, anthropic }) => {
        const deployment = anthropic ? ANTHROPIC_OPUS : GPT;
        const marker = { type: 'ephemeral', ttl: '1h' };
        const body = promptOf(SENTENCE.repeat(size), hour ? { cache_control: marker } : {});
        const estimate = hold(deployment, body, cap, { callCaps: {}, feedsInput });
        const most = feedsInput ? deployment.contextWindow : estimate.requestTokens;
        const input = Math.floor(most * used);
        const [fresh = 0, cached = 0, written = 0] = share(input, weights);
        const write = !anthropic
          ? 'cache_write_input_tokens'
          : hour
            ? 'cache_write_1h_input_tokens'
            : 'cache_write_5m_input_tokens';
        const usage: Usage = {
          input_tokens: fresh,
          cached_input_tokens: cached,
          [write]: written,
          output_tokens: Math.min(cap ?? deployment.maxOutput, deployment.contextWindow - input),
        };
        expect(priceUsage(deployment, usage)).toBeLessThanOrEqual(estimate.amount);
      }),
      { numRuns: 100 },
    );
  });

  test('is tight: prose with a small cap is held at no more than thrice its cost', () => {
    const text = SENTENCE.repeat(40);
    const usage = { input_tokens: countTokens(text), output_tokens: 200 };
    const { amount } = hold(GPT, promptOf(text), 200);
    expect(amount).toBeLessThanOrEqual(3n * priceUsage(GPT, usage));
  });

  test('takes output at the cap, else at the model maximum or the room in the window', () => {
    expect(hold(GPT, promptOf('hello'), 16).outputTokens).toBe(16);
    expect(hold(GPT, promptOf('hello')).outputTokens).toBe(128_000);
    const small = deploymentWith({ contextWindow: 20_000, maxOutput: 16_000 });
    const { inputTokens, outputTokens } = hold(small, promptOf(SENTENCE.repeat(900)));
    expect(inputTokens + outputTokens).toBe(20_000);
    expect(hold(GPT, promptOf('hello'), 0).outputTokens).toBe(0);
  });

  test('takes all the room in the window and every call at its cap when tools feed the model', () => {
    const { amount, inputTokens, outputTokens } = hold(
      ANTHROPIC_OPUS,
      promptOf('What happened today?'),
      1_000,
      SEARCH,
    );
    expect(inputTokens + outputTokens).toBe(1_000_000);
    const searches = priceUsage(ANTHROPIC_OPUS, { anthropic_web_search_calls: 5 });
    const input = priceUsage(ANTHROPIC_OPUS, { cache_write_5m_input_tokens: inputTokens });
    expect(amount).toBeGreaterThanOrEqual(searches + input);
  });

  test('prices the cache write of an hour only where a marker asks for it', () => {
    const text = SENTENCE.repeat(500);
    const block = (ttl: string): JsonObject => ({
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text, cache_control: { type: 'ephemeral', ttl } }],
        },
      ],
    });
    const five = hold(ANTHROPIC_OPUS, block('5m'), 0);
    const hour = hold(ANTHROPIC_OPUS, block('1h'), 0);
    expect(hour.inputTokens).toBe(five.inputTokens);
    expect(Number(hour.amount) / Number(five.amount)).toBeCloseTo(10 / 6.25, 3);
  });

  test('holds what rejected predictions cost beyond the output cap', () => {
    const prediction = { type: 'content', content: SENTENCE.repeat(100) };
    const without = hold(GPT, promptOf('Change one word.'), 100);
    const withIt = hold(GPT, promptOf('Change one word.', { prediction }), 100);
    const rejected = priceUsage(GPT, { output_tokens: countTokens(prediction.content) });
    expect(withIt.amount - without.amount).toBeGreaterThanOrEqual(rejected);
  });

  test('is refused where the deployment has no price for a tool', () => {
    const prices = { input_tokens: { perMillion: '1' }, output_tokens: { perMillion: '2' } };
    const plan: HostedToolPlan = {
      callCaps: { openai_responses_web_search_calls: 2 },
      feedsInput: true,
    };
    expect(() => hold(deploymentWith({ prices }), promptOf('hello'), 100, plan)).toThrow(/tools/);
  });
});

describe('the tokens of a request', () => {
  const TOOL: JsonObject = {
    type: 'function',
    function: {
      name: 'find_orders',
      description: 'Finds the orders of a customer.',
      parameters: {
        type: 'object',
        properties: {
          customer: { type: 'string', description: 'Identifier of the customer' },
          states: { type: 'array', items: { type: 'string', enum: ['open', 'paid', 'sent'] } },
          limit: { type: 'integer', minimum: 1, maximum: 100 },
        },
        required: ['customer'],
        additionalProperties: false,
      },
    },
  };
  const WIDE: JsonObject = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`name${index}`, { type: 'string' }]),
  );
  const LIMIT = 1_000_000;

  function inputOf(body: JsonObject, tokenizer: 'o200k' | 'anthropic' = 'o200k'): number {
    return countRequestTokens(body, tokenizer, LIMIT).input;
  }

  test.each([
    ['a tool definition', { tools: [TOOL] }, TOOL],
    ['a wide schema', { response_format: WIDE }, WIDE],
    ['a response schema', { response_format: TOOL }, TOOL],
    [
      'a call in the history',
      {
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: 'find_orders', arguments: JSON.stringify(TOOL) },
              },
            ],
          },
        ],
      },
      TOOL,
    ],
    [
      'a call with an object for input',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: TOOL }] },
        ],
      },
      TOOL,
    ],
    [
      'reasoning carried back',
      { input: [{ type: 'reasoning', summary: [], encrypted_content: JSON.stringify(TOOL) }] },
      TOOL,
    ],
    ['instructions', { instructions: SENTENCE }, SENTENCE],
    ['a system block', { system: [{ type: 'text', text: SENTENCE }] }, SENTENCE],
    [
      'the result of a tool',
      { input: [{ type: 'function_call_output', call_id: 'c', output: SENTENCE }] },
      SENTENCE,
    ],
  ])('count %s', (_name, body, meant) => {
    const written = typeof meant === 'string' ? meant : JSON.stringify(meant);
    const empty = inputOf({});
    expect(inputOf(body) - empty).toBeGreaterThanOrEqual(countTokens(written));
    expect(inputOf(body) - empty).toBeLessThanOrEqual(3 * countTokens(written) + 64);
  });

  test('leave out what never reaches the model', () => {
    const plain = promptOf('hello');
    const dressed = {
      ...plain,
      safety_identifier: 'a'.repeat(64),
      prompt_cache_key: 'key'.repeat(80),
      metadata: { user_id: 'b'.repeat(64) },
      temperature: 0.7,
      stream: true,
    };
    expect(inputOf(dressed)).toBe(inputOf(plain));
  });

  test('count the instructions that Anthropic adds once a tool is declared', () => {
    const added = inputOf({ tools: [{ name: 'f', input_schema: {} }] }, 'anthropic');
    expect(added - inputOf({}, 'anthropic')).toBeGreaterThanOrEqual(589);
  });

  test('grow with every message, and stop at the limit', () => {
    const message = { role: 'user', content: SENTENCE };
    let before = inputOf({ messages: [] });
    for (let count = 1; count < 20; count++) {
      const now = inputOf({ messages: Array.from({ length: count }, () => message) });
      expect(now - before).toBeGreaterThanOrEqual(countTokens(SENTENCE));
      before = now;
    }
    const huge = promptOf(SENTENCE.repeat(100_000));
    expect(countRequestTokens(huge, 'o200k', 5_000).input).toBeLessThan(6_000);
  });

  test('are counted for values nested deeper than a call stack reaches', () => {
    let schema: JsonObject = {};
    for (let depth = 0; depth < 50_000; depth++) schema = { items: schema };
    expect(inputOf({ response_format: schema })).toBeGreaterThan(100_000);
  });
});

describe('an estimated usage', () => {
  const seen = { requestTokens: 500, relayedOutputTokens: 70 };

  test('counts input from the request and output from the relayed text when nothing was reported', () => {
    expect(estimatedUsage({ reported: undefined, ...seen })).toEqual({
      input_tokens: 500,
      output_tokens: 70,
    });
  });

  test('keeps what the start event said of the input, and calls', () => {
    const reported = { cached_input_tokens: 300, output_tokens: 1, anthropic_web_search_calls: 2 };
    expect(estimatedUsage({ reported, ...seen })).toEqual({ ...reported, output_tokens: 70 });
    const ahead = { input_tokens: 4, output_tokens: 90 };
    expect(estimatedUsage({ reported: ahead, ...seen })).toEqual(ahead);
  });
});
