import { describe, expect, test } from 'vitest';
import { CACHING } from '../support/spec-chat-request-caching.ts';
import { CAPS } from '../support/spec-chat-request-caps.ts';
import { FAMILY } from '../support/spec-chat-request-family.ts';
import { OUTPUT } from '../support/spec-chat-request-output.ts';
import { REASONING } from '../support/spec-chat-request-reasoning.ts';
import { ROUTING } from '../support/spec-chat-request-routing.ts';
import { SAMPLING } from '../support/spec-chat-request-sampling.ts';
import { STREAM } from '../support/spec-chat-request-stream.ts';
import { TOOLS } from '../support/spec-chat-request-tools.ts';
import { A, B, type Claims, claimForms, useSpecGateway } from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const claim = (claims: Claims) => claimForms(spec, 'chat', claims);
const accepted = (forms: Claims['accepted']) => claim({ accepted: forms, refused: [] });
const refused = (forms: Claims['refused']) => claim({ accepted: [], refused: forms });

describe('model, messages and stream', () => {
  claim(STREAM);
});

describe('routing preference', () => {
  claim(ROUTING);
});

describe('sampling', () => {
  claim(SAMPLING);
});

describe('output caps', () => {
  claim(CAPS);
});

describe('tools', () => {
  claim(TOOLS);
});

describe('output', () => {
  claim(OUTPUT);
});

describe('reasoning', () => {
  claim(REASONING);
});

describe('prompt caching', () => {
  claim(CACHING);
});

describe('family B only, forwarded', () => {
  claim(FAMILY);
});

describe('metadata', () => {
  accepted([
    {
      claim: '2.4 metadata: stays behind on family A',
      fields: { metadata: { team: 'search' } },
      without: ['metadata'],
    },
    {
      claim: '2.4 metadata: only the identity reaches family B',
      fields: { model: B, metadata: { team: 'search' } },
      sent: { metadata: { user_id: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    },
  ]);
  refused([
    { claim: '2.4 metadata: values are text', fields: { metadata: { a: 1 } }, names: /^metadata/ },
    { claim: '2.4 metadata: must be an object', fields: { metadata: 'x' }, names: /^metadata/ },
  ]);

  test('2.4 metadata: is written to the telemetry log and to the ledger entry', async () => {
    const metadata = { team: 'suche-ü', 'cost centre': '4711' };
    const { headers } = await spec.accept('chat', { metadata });
    const entry = await spec.entryOf(headers.get('x-request-id'));
    expect(entry.metadata).toEqual(metadata);
    const line = spec
      .gateway()
      .output()
      .split('\n')
      .find((text) => text.includes('suche-ü'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ event: 'request_finished', metadata });
  });

  test('2.4 metadata: user_id of the client does not replace the identity', async () => {
    const { sent } = await spec.accept('chat', { model: B, metadata: { user_id: 'mine' } });
    expect(sent.text).not.toContain('mine');
  });
});

describe('unsupported', () => {
  const unsupported: Record<string, unknown> = {
    audio: { format: 'wav', voice: 'alloy' },
    fallbacks: ['gpt-5.5'],
    function_call: 'auto',
    functions: [{ name: 'look' }],
    container: 'x',
    prompt_cache_isolation_key: 'x',
    safety_identifier: 'x',
    user: 'x',
    store: true,
  };
  refused(
    Object.entries(unsupported).flatMap(([name, value]) =>
      [A, B].map((model) => ({
        claim: `2.4 ${name}: on ${model}`,
        fields: { model, [name]: value },
        names: new RegExp(`^${name} is not supported`),
      })),
    ),
  );
  refused([
    { claim: '2.4 store: false is setting it, too', fields: { store: false }, names: /^store/ },
  ]);
  accepted([
    { claim: '2.4 store: family A is forced to false', fields: {}, sent: { store: false } },
    {
      claim: '2.4 user, safety_identifier: the gateway sets its own',
      fields: {},
      sent: { safety_identifier: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ]);
});

const OPTIONAL = [
  ...['provider', 'rules', 'stream', 'stream_options', 'temperature', 'top_p', 'top_k'],
  ...['max_tokens', 'max_completion_tokens', 'n', 'stop', 'stop_sequences', 'seed'],
  ...['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'top_logprobs'],
  ...[
    'parallel_tool_calls',
    'prediction',
    'tools',
    'tool_choice',
    'mcp_servers',
    'response_format',
  ],
  ...['reasoning', 'reasoning_effort', 'reasoning_max_tokens', 'reasoning_display', 'verbosity'],
  ...['modalities', 'web_search_options', 'prompt_cache_key', 'prompt_cache_retention'],
  ...['cache_control', 'task_budget', 'context_management', 'inference_geo', 'speed'],
  ...['service_tier', 'metadata', 'audio', 'fallbacks', 'function_call', 'functions', 'container'],
  ...['prompt_cache_isolation_key', 'safety_identifier', 'user', 'store'],
];

describe('null', () => {
  const nulls = Object.fromEntries(OPTIONAL.map((name) => [name, null]));
  test.each([A, B])('2.4 model: every optional field as null is absent on %s', async (model) => {
    const plain = await spec.accept('chat', { model });
    const { sent } = await spec.accept('chat', { model, ...nulls });
    expect(sent.body).toEqual(plain.sent.body);
  });
});
