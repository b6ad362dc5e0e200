import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DIMENSIONS,
  embedMetrics,
  METRICS,
  readMetricsTarget,
} from '../../../shared/telemetry/embedded-metrics.ts';
import { createJsonTelemetry, type RequestRecord } from '../../../shared/telemetry/request-log.ts';
import { sweepLine } from '../../../shared/telemetry/sweep-log.ts';
import { verifyLines } from '../../../shared/telemetry/verify-log.ts';

const TARGET = { namespace: 'Tollgate/test', now: () => 1_780_000_000_123 };

/** The rules of CloudWatch's specification of the format. */
const SCHEMA = {
  type: 'object',
  required: ['_aws'],
  properties: {
    _aws: {
      type: 'object',
      required: ['Timestamp', 'CloudWatchMetrics'],
      additionalProperties: false,
      properties: {
        Timestamp: { type: 'integer', minimum: 1_000_000_000_000, maximum: 9_999_999_999_999 },
        CloudWatchMetrics: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['Namespace', 'Dimensions', 'Metrics'],
            additionalProperties: false,
            properties: {
              Namespace: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^:]' },
              Dimensions: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'array',
                  maxItems: 30,
                  items: { type: 'string', minLength: 1, maxLength: 250 },
                },
              },
              Metrics: {
                type: 'array',
                minItems: 1,
                maxItems: 100,
                items: {
                  type: 'object',
                  required: ['Name'],
                  additionalProperties: false,
                  properties: {
                    Name: { type: 'string', minLength: 1, maxLength: 255 },
                    Unit: {
                      enum: ['Count', 'Milliseconds', 'Seconds', 'Bytes', 'Percent', 'None'],
                    },
                    StorageResolution: { enum: [1, 60] },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
const isEmbeddedMetric = new Ajv().compile(SCHEMA);

interface Directive {
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}

/** Checks a line by the schema, and what a schema cannot say; returns the directives. */
function checkLine(line: string): Directive[] {
  const entry = JSON.parse(line);
  expect(isEmbeddedMetric(entry), JSON.stringify(isEmbeddedMetric.errors)).toBe(true);
  const directives: Directive[] = entry._aws.CloudWatchMetrics;
  for (const { Dimensions, Metrics } of directives) {
    for (const { Name } of Metrics) expect(Number.isFinite(entry[Name]), Name).toBe(true);
    for (const name of Dimensions.flat()) {
      expect(DIMENSIONS).toContain(name);
      expect(typeof entry[name]).toBe('string');
      expect(entry[name]).not.toBe('');
    }
  }
  return directives;
}

function telemetry(target?: typeof TARGET) {
  const lines: string[] = [];
  return { lines, ...createJsonTelemetry((line) => lines.push(line), target) };
}

const record: fc.Arbitrary<RequestRecord> = fc.record(
  {
    requestId: fc.uuid(),
    route: fc.constantFrom('chat-completions', 'responses'),
    status: fc.constantFrom(200, 400, 402, 429, 500, 503),
    accountId: fc.string(),
    keyId: fc.string(),
    provider: fc.constantFrom('openai', 'azure', 'anthropic'),
    firstByteMs: fc.nat(),
    totalMs: fc.nat(),
    heldMs: fc.nat(),
    upstreamMs: fc.nat(),
    inputTokens: fc.nat(),
    outputTokens: fc.nat(),
    amountUsd: fc.constantFrom('0.00', '0.000000001', '12.345678901'),
    estimated: fc.boolean(),
    errorType: fc.constantFrom('gateway_error', 'billing_error'),
  },
  { requiredKeys: ['requestId', 'route', 'status', 'totalMs'] },
);

const SWEEP = {
  expired: ['a'],
  reapplied: [],
  left: 0,
  drained: 2,
  uncollected: 3n,
  lagMinutes: 1,
};
const VERIFIED = {
  accounts: 3,
  entries: 9,
  differences: [
    { accountId: 'acc_1', problem: 'balance', expected: 5n, found: 4n },
    { accountId: 'acc_2', problem: 'key-lifetime', keyId: 'key_1', expected: 5n, found: 4n },
  ],
  unverified: 1,
  failures: [{ accountId: 'acc_3', error: new Error('no answer') }],
  holdsOpen: 2,
  holdsOpenAmount: 1_500_000_000n,
} as const;

describe('a line with metrics', () => {
  test('of any request keeps the rules of the format, and is the one line of its log', () => {
    fc.assert(
      fc.property(record, (one) => {
        const { lines, requestFinished } = telemetry(TARGET);
        requestFinished(one);
        expect(lines).toHaveLength(1);
        checkLine(lines[0] ?? '');
        expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'request_finished', ...one });
      }),
    );
  });

  test.each([
    { what: 'upstream_failure', context: { provider: 'azure' }, counts: { UpstreamFailures: 1 } },
    {
      what: 'charge_uncollected',
      context: { uncollectedUsd: '0.25' },
      counts: { UncollectedUsd: 0.25 },
    },
    { what: 'charge_spooled', context: {}, counts: { SpooledCharges: 1 } },
    { what: 'settlement_failed', context: {}, counts: { SettlementFailures: 1 } },
    { what: 'request_failed', context: {}, counts: { Faults: 1 } },
  ])('of the fault $what counts it', ({ what, context, counts }) => {
    const { lines, fault } = telemetry(TARGET);
    fault(what, new Error('why'), context);
    checkLine(lines[0] ?? '');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ what, Faults: 1, ...counts });
  });

  test('of a sweep counts what it did, and that it ran', () => {
    const line = sweepLine(SWEEP, TARGET);
    checkLine(line);
    expect(JSON.parse(line)).toMatchObject({
      Sweeps: 1,
      HoldsExpired: 1,
      SpoolDrained: 2,
      UncollectedUsd: 0.000000003,
    });
  });

  test('splits a metric by the fields that the entry has, and never by key or account', () => {
    const { lines, requestRefused } = telemetry(TARGET);
    requestRefused({
      requestId: 'one',
      route: 'responses',
      status: 503,
      totalMs: 5,
      errorType: 'gateway_error',
    });
    const dimensionsOf = Object.fromEntries(
      checkLine(lines[0] ?? '').flatMap(({ Dimensions, Metrics }) =>
        Metrics.map(({ Name }) => [Name, Dimensions]),
      ),
    );
    expect(dimensionsOf).toEqual({
      Requests: [[], ['route']],
      ServerErrors: [[], ['route']],
      DatabaseUnavailable: [[], ['route']],
      Duration: [[], ['route']],
      Errors: [[], ['errorType']],
    });
  });
});

describe('the lines of the daily check', () => {
  test('tell each difference in the admin command’s words, then the totals with metrics', () => {
    const [balance, room, failure, totals, ...more] = verifyLines(VERIFIED, TARGET);
    expect(more).toEqual([]);
    expect(JSON.parse(balance ?? '')).toMatchObject({ level: 'error', foundUsd: '0.000000004' });
    expect(JSON.parse(room ?? '')).toMatchObject({ problem: 'key-lifetime', keyId: 'key_1' });
    expect(JSON.parse(failure ?? '')).toMatchObject({ accountId: 'acc_3', level: 'error' });
    checkLine(totals ?? '');
    expect(JSON.parse(totals ?? '')).toMatchObject({
      level: 'error',
      LedgerVerified: 1,
      LedgerDifferences: 2,
      LedgerBalancesOff: 1,
      LedgerKeyRoomsOff: 1,
      LedgerAccountsUnverified: 1,
      HoldsOpenUsd: 1.5,
    });
  });

  test('stay few, however much is off', () => {
    const differences = Array.from({ length: 5_000 }, () => VERIFIED.differences[0]);
    const lines = verifyLines({ ...VERIFIED, differences }, TARGET);
    expect(lines.length).toBeLessThanOrEqual(101);
    expect(JSON.parse(lines.at(-1) ?? '').differences).toBe(5_000);
  });
});

describe('the target', () => {
  test('is named by the environment; without it lines are plain', () => {
    expect(readMetricsTarget({})).toBeUndefined();
    expect(readMetricsTarget({ METRICS_NAMESPACE: '' })).toBeUndefined();
    expect(readMetricsTarget({ METRICS_NAMESPACE: 'Tollgate/prod' })).toMatchObject({
      namespace: 'Tollgate/prod',
    });
    const { lines, requestFinished } = telemetry();
    requestFinished({ requestId: 'one', route: 'responses', status: 200, totalMs: 5 });
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      event: 'request_finished',
      requestId: 'one',
      route: 'responses',
      status: 200,
      totalMs: 5,
    });
  });

  test('gets at most a hundred metrics a directive, whatever is counted', () => {
    const values = Object.fromEntries(Object.keys(METRICS).map((name) => [name, 1]));
    checkLine(JSON.stringify(embedMetrics({ event: 'all' }, [{ values }], TARGET)));
  });
});
