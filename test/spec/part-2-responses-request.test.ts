import { describe, expect, test } from 'vitest';
import { A, B, type Claims, claimForms, useSpecGateway } from '../support/spec-gateway.ts';
import { FAMILY } from '../support/spec-responses-request-family.ts';
import { REASONING } from '../support/spec-responses-request-reasoning.ts';
import { SAMPLING } from '../support/spec-responses-request-sampling.ts';
import { STREAM } from '../support/spec-responses-request-stream.ts';
import { TOOLS } from '../support/spec-responses-request-tools.ts';

const spec = useSpecGateway();
const claim = (claims: Claims) => claimForms(spec, 'responses', claims);
const _accepted = (forms: Claims['accepted']) => claim({ accepted: forms, refused: [] });
const refused = (forms: Claims['refused']) => claim({ accepted: [], refused: forms });

describe('model, input and stream', () => {
  claim(STREAM);
});

describe('sampling and output', () => {
  claim(SAMPLING);
});

describe('tools', () => {
  claim(TOOLS);
});

describe('reasoning', () => {
  claim(REASONING);
});

describe('family fields', () => {
  claim(FAMILY);

  test('2.7 metadata: is written to the ledger entry', async () => {
    const { headers } = await spec.accept('responses', { model: B, metadata: { team: 'x' } });
    expect(await spec.entryOf(headers.get('x-request-id'))).toMatchObject({
      metadata: { team: 'x' },
      route: 'responses',
    });
  });
});

describe('unsupported', () => {
  const unsupported: Record<string, unknown> = {
    background: true,
    conversation: 'conv_1',
    previous_response_id: 'resp_1',
    fallbacks: ['gpt-5.5'],
    container: { type: 'auto' },
    store: true,
    safety_identifier: 'x',
    user: 'x',
  };
  refused(
    Object.entries(unsupported).flatMap(([name, value]) =>
      [A, B].map((model) => ({
        claim: `2.7 ${name}: on ${model}`,
        fields: { model, [name]: value },
        names: new RegExp(`^${name} is not supported`),
      })),
    ),
  );
  refused([
    {
      claim: '2.7 background: false is setting it, too',
      fields: { background: false },
      names: /^background/,
    },
    { claim: '2.7 store: false is setting it, too', fields: { store: false }, names: /^store/ },
    {
      claim: '2.7 model: a prompt template is unknown',
      fields: { prompt: { id: 'pmpt_1' } },
      names: /^prompt/,
    },
  ]);
});

const OPTIONAL = [
  ...['provider', 'rules', 'stream', 'stream_options', 'instructions', 'max_output_tokens'],
  ...['max_tool_calls', 'parallel_tool_calls', 'tools', 'tool_choice', 'reasoning'],
  ...['reasoning.effort', 'text', 'truncation', 'include', 'temperature', 'top_p', 'top_k'],
  ...['top_logprobs', 'frequency_penalty', 'presence_penalty', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'cache_control', 'stop_sequences', 'task_budget'],
  ...['context_management', 'inference_geo', 'speed', 'service_tier', 'metadata', 'background'],
  ...['conversation', 'previous_response_id', 'fallbacks', 'container', 'store'],
  ...['safety_identifier', 'user'],
];

describe('null', () => {
  const nulls = Object.fromEntries(OPTIONAL.map((name) => [name, null]));
  test.each([A, B])('2.7 model: every optional field as null is absent on %s', async (model) => {
    const plain = await spec.accept('responses', { model });
    const { sent } = await spec.accept('responses', { model, ...nulls });
    expect(sent.body).toEqual(plain.sent.body);
  });
});
