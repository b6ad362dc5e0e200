import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../shared/api/error.ts';
import type { Call } from '../../../shared/gateway/call.ts';
import { settleFailed } from '../../../shared/gateway/settlement.ts';
import type { SettleOutcome } from '../../../shared/ledger/types.ts';
import { createJsonTelemetry } from '../../../shared/telemetry/request-log.ts';

const REQUEST_ID = '0193a5c0-1000-7abc-8def-000000000000';
const FAILURE = new GatewayError('gateway', 'The provider failed.');

/** A call that failed, as far as settlement looks at it; `release` is what the ledger does. */
function failedCall(release: () => Promise<SettleOutcome>) {
  const lines: string[] = [];
  const call = {
    services: {
      ledger: { release },
      telemetry: createJsonTelemetry((line) => lines.push(line)),
      now: () => 1_732_000_000_500,
    },
    route: 'responses',
    hold: { requestId: REQUEST_ID, accountId: 'acc_1', keyId: 'key_1' },
    candidates: [{ deployment: { id: 'd', model: 'm', provider: 'openai' } }],
    modelRequested: 'm',
    streaming: false,
    metadata: {},
    receivedAtMs: 1_732_000_000_000,
    startedAtMs: 1_732_000_000_010,
    // The rest of a call is for its way to the provider, which is over.
  } as unknown as Call;
  const settle = () =>
    settleFailed(call, { known: FAILURE, error: FAILURE, answeredAtMs: 1_732_000_000_400 });
  return { settle, events: () => lines.map((line) => JSON.parse(line)) };
}

const released = { charged: 0n, uncollected: 0n } as const;

describe('the settlement of a request that failed', () => {
  test('logs it once, with its times', async () => {
    const { settle, events } = failedCall(async () => ({ status: 'settled', ...released }));
    await settle();
    expect(events()).toMatchObject([
      { event: 'request_finished', status: 500, firstByteMs: 400, totalMs: 500 },
    ]);
  });

  test('tells of a release that nothing took, and fails its invocation', async () => {
    const gone = new Error('the queue does not answer');
    const { settle, events } = failedCall(() => Promise.reject(gone));
    await expect(settle()).rejects.toBe(gone);
    expect(events()).toMatchObject([
      { event: 'fault', what: 'settlement_failed', requestId: REQUEST_ID },
    ]);
  });

  test('tells of a release that waits in the spool', async () => {
    const { settle, events } = failedCall(async () => ({ status: 'spooled', ...released }));
    await settle();
    expect(events()).toMatchObject([{ what: 'charge_spooled' }, { event: 'request_finished' }]);
  });
});
