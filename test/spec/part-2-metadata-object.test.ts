import { describe, expect, test } from 'vitest';
import type { ReceivedRequest, ScriptedAnswer } from '../support/scripted-upstream.ts';
import {
  A,
  anyAnswer,
  B,
  jsonFrames,
  PATHS,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();

const HEADER = 'X-Gateway-Return-Extra-Fields';
const ALL =
  'provider, latency,model_requested,model_deployment,provider_response_headers,raw_request,raw_response';
const DEPLOYMENTS: Readonly<Record<string, string>> = {
  [A]: 'openai-gpt-5.6-sol',
  [B]: 'anthropic-claude-sonnet-5',
};
const PROVIDERS: Readonly<Record<string, string>> = { [A]: 'openai', [B]: 'anthropic' };

/** The good answer with headers of which the catalog lets some through. */
const withHeaders = (request: ReceivedRequest) => ({
  ...anyAnswer(request),
  headers: {
    'x-request-id': 'req_up',
    'request-id': 'req_up',
    'openai-organization': 'org-secret',
    'set-cookie': 'a=b',
  },
});

async function extra(route: 'chat' | 'responses', fields: object, wanted: string) {
  const { body, text, sent } = await spec.accept(
    route,
    { ...fields },
    { headers: { [HEADER]: wanted }, answer: withHeaders },
  );
  return { gateway: body?.gateway, text, sent };
}

describe.each(['chat', 'responses'] as const)('%s', (route) => {
  test.each([A, B])(
    '2.9 provider, latency, model_requested, model_deployment: whole, %s',
    async (model) => {
      const { gateway } = await extra(route, { model }, ALL);
      expect(gateway).toMatchObject({
        provider: PROVIDERS[model],
        model_requested: model,
        model_deployment: DEPLOYMENTS[model],
      });
      expect(Number.isInteger(gateway.latency)).toBe(true);
      expect(gateway.latency).toBeGreaterThanOrEqual(0);
    },
  );

  test.each([A, B])(
    '2.9 provider_response_headers: only those that the catalog approves, %s',
    async (model) => {
      const { gateway } = await extra(route, { model }, 'provider_response_headers');
      expect(gateway).toEqual({
        provider_response_headers: { [model === A ? 'x-request-id' : 'request-id']: 'req_up' },
      });
    },
  );

  test.each([A, B])(
    '2.9 raw_request, raw_response: what was sent and what came, %s',
    async (model) => {
      const { gateway, sent } = await extra(route, { model }, 'raw_request,raw_response');
      const identity = sent.body.safety_identifier ?? sent.body.metadata.user_id;
      expect(identity).toMatch(/^[0-9a-f]{64}$/);
      expect(gateway.raw_request).toEqual(JSON.parse(sent.text.replaceAll(identity, '[redacted]')));
      expect(gateway.raw_response).toMatchObject({
        id: expect.stringContaining('scripted'),
        usage: expect.any(Object),
      });
    },
  );

  test.each([A, B])('2.9 provider: streamed, on the last JSON frame alone, %s', async (model) => {
    const { text } = await extra(route, { model, stream: true }, ALL);
    const frames = jsonFrames(text);
    const carrying = frames.filter((frame) => JSON.stringify(frame).includes('"model_deployment"'));
    expect(carrying).toEqual([frames.at(-1)]);
    const last = frames.at(-1);
    const { gateway } = route === 'chat' ? last : last.response;
    expect(gateway).toMatchObject({
      provider: PROVIDERS[model],
      model_requested: model,
      model_deployment: DEPLOYMENTS[model],
      raw_request: { stream: true },
      provider_response_headers: expect.any(Object),
      latency: expect.any(Number),
    });
    expect(gateway.raw_response.length).toBeGreaterThan(2);
    if (route === 'chat') expect(last.usage).toMatchObject({ total_tokens: 1_050 });
    else expect(last.type).toBe('response.completed');
  });

  test('2.9 provider: only what is asked for is there', async () => {
    expect((await extra(route, {}, ' PROVIDER , ,')).gateway).toEqual({ provider: 'openai' });
  });

  test('2.9 model_requested: as the client wrote it', async () => {
    const { gateway } = await extra(route, { model: 'azure/gpt-5.6' }, 'model_requested,provider');
    expect(gateway).toEqual({ provider: 'azure', model_requested: 'azure/gpt-5.6' });
  });

  test('4 X-Gateway-Return-Extra-Fields: an unknown name', async () => {
    const before = spec.upstream().requests.length;
    const { status, body } = await spec.post(PATHS[route], requestOf(route), {
      headers: { [HEADER]: 'provider,secrets' },
    });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/X-Gateway-Return-Extra-Fields.*"secrets"/);
    expect(spec.upstream().requests.length).toBe(before);
  });
});

describe('redaction', () => {
  const SECRET = 'mcp-t0p-secret';
  const server = {
    type: 'url',
    url: `https://user:${SECRET}@mcp.example/sse?token=${SECRET}`,
    name: 'docs',
    authorization_token: SECRET,
  };
  const chat = {
    model: B,
    mcp_servers: [server],
    tools: [{ type: 'mcp_toolset', mcp_server_name: 'docs' }],
  };
  const tool = {
    type: 'mcp',
    server_label: 'docs',
    server_url: server.url,
    authorization: SECRET,
    headers: { 'x-token': SECRET },
    allowed_tools: ['read'],
    require_approval: 'never',
  };
  const { headers: _headers, ...toolOfB } = tool;
  /** An answer that echoes the whole request, as responses upstream do with tools. */
  const echo = (request: ReceivedRequest): ScriptedAnswer => {
    const answer = anyAnswer(request);
    const { tools, mcp_servers } = request.body;
    if ('events' in answer) {
      const events = answer.events.map((event) =>
        typeof event === 'object' && 'response' in event && typeof event.response === 'object'
          ? { ...event, response: { ...event.response, tools } }
          : event,
      );
      return { ...answer, events };
    }
    if (!('json' in answer) || typeof answer.json !== 'object') return answer;
    return { ...answer, json: { ...answer.json, tools, mcp_servers } };
  };

  test.each([
    ['chat, family B', 'chat', chat],
    ['responses, family A', 'responses', { tools: [tool] }],
    ['responses, family B', 'responses', { model: B, tools: [toolOfB] }],
  ] as const)(
    '2.9 raw_request, raw_response: no credential of an MCP server, %s',
    async (_, route, fields) => {
      const headers = { [HEADER]: ALL };
      const whole = await spec.accept(route, fields, { headers, answer: echo });
      const { text, sent } = await spec.accept(
        route,
        { ...fields, stream: true },
        { headers, answer: echo },
      );
      expect(sent.text).toContain(SECRET);
      const last = jsonFrames(text).at(-1);
      for (const { gateway } of [whole.body, route === 'chat' ? last : last.response]) {
        expect(JSON.stringify(gateway.raw_request)).toContain('[redacted]');
        expect(JSON.stringify(gateway)).not.toContain(SECRET);
      }
    },
  );

  test('2.9 raw_request: the identity that providers see stays ours', async () => {
    for (const model of [A, B]) {
      const { text, sent } = await spec.accept('chat', { model }, { headers: { [HEADER]: ALL } });
      const identity = sent.body.safety_identifier ?? sent.body.metadata.user_id;
      expect(text).not.toContain(identity);
      expect(text).not.toMatch(/sk-openai-secret|sk-ant-secret/);
    }
  });
});
