import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';

let gateway: RunningGateway;
const MODEL = 'gpt-5.6-sol';

beforeAll(async () => {
  gateway = await startGateway({ environment: { METRICS_NAMESPACE: 'Tollgate/test' } });
});
afterAll(() => gateway.stop());

type Line = Readonly<Record<string, unknown>>;

function linesOf(requestId: string | null): Line[] {
  return gateway
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"${requestId}"`))
    .map((line) => JSON.parse(line));
}

/** The one line that tells of a request's end: it comes once the client has its answer. */
async function finished(requestId: string | null, ends = 'request_finished'): Promise<Line> {
  expect(requestId).toBeTruthy();
  const isEnd = ({ event }: Line) => String(event).startsWith('request_');
  await eventually(async () => expect(linesOf(requestId).filter(isEnd)).toHaveLength(1));
  const line = linesOf(requestId).find(isEnd) ?? {};
  expect(line.event).toBe(ends);
  return line;
}

const refused = (requestId: string | null) => finished(requestId, 'request_refused');

async function ask(fields: object, apiKey = gateway.apiKey): Promise<{ id: string | null }> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: 'Say hello.' }],
      ...fields,
    }),
  });
  await response.text();
  return { id: response.headers.get('x-request-id') };
}

/** Metric names of a line with what they are split by. */
function metricsOf(line: Line): Record<string, unknown> {
  // The shape that `test/shared/telemetry/embedded-metrics.test.ts` holds against the specification.
  const { CloudWatchMetrics } = line._aws as {
    CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[];
  };
  return Object.fromEntries(
    CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
      Metrics.map(({ Name }) => [Name, Dimensions.flat().join()]),
    ),
  );
}

describe('every request to a model ends as one line with its metrics', () => {
  test.each([{ stream: false }, { stream: true }])('a charged one, %o', async (fields) => {
    const line = await finished((await ask(fields)).id);
    expect(line).toMatchObject({ status: 200, route: 'chat-completions', provider: 'openai' });
    expect(metricsOf(line)).toMatchObject({
      Requests: 'route',
      FirstByteLatency: 'route',
      HoldDuration: '',
      UpstreamLatency: 'provider',
      SpendUsd: 'provider',
      InputTokens: 'provider',
    });
    const { firstByteMs, totalMs, heldMs, upstreamMs, SpendUsd, amountUsd } = line;
    expect(SpendUsd).toBe(Number(amountUsd));
    expect(SpendUsd).toBeGreaterThan(0);
    for (const part of [firstByteMs, heldMs, upstreamMs]) {
      expect(part).toBeGreaterThanOrEqual(0);
      expect(part).toBeLessThanOrEqual(Number(totalMs));
    }
    expect(firstByteMs).toBeGreaterThanOrEqual(Number(upstreamMs));
  });

  test('one that its fields refuse', async () => {
    const line = await refused((await ask({ model: 'no-such-model' })).id);
    expect(line).toMatchObject({
      status: 400,
      errorType: 'invalid_request_error',
      Errors: 1,
      ServerErrors: 0,
      keyId: expect.stringMatching(/^key_/),
    });
    expect(metricsOf(line)).toMatchObject({ Errors: 'errorType' });
    expect(line).not.toHaveProperty('SpendUsd');
  });

  test('one without a valid key, whose account is unknown', async () => {
    const line = await refused((await ask({}, 'sk-nobody')).id);
    expect(line).toMatchObject({ status: 401, errorType: 'authentication_error' });
    expect(line).not.toHaveProperty('keyId');
  });

  test('one that its account cannot pay', async () => {
    const { accountId } = await gateway.admin('account', 'create', '--name', 'empty');
    const { apiKey } = await gateway.admin('key', 'create', '--account', accountId);
    const line = await refused((await ask({}, apiKey)).id);
    expect(line).toMatchObject({ status: 402, errorType: 'billing_error', accountId });
    expect(line).not.toHaveProperty('HoldDuration');
  });
});
