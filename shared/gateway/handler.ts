import { ERRORS, type GatewayError } from '../api/error.ts';
import { authenticate, findKey, keyOf } from '../http/authenticate.ts';
import type { FunctionUrlEvent } from '../http/function-url.ts';
import { jsonBody } from '../http/json-body.ts';
import {
  functionUrlHandler,
  giveRequestId,
  onlyRoute,
  requestIdOf,
  type Unit,
} from '../http/middleware.ts';
import { elapsedMs, type RefusedRecord } from '../telemetry/request-log.ts';
import { rateLimitHeaders } from './deliver.ts';
import { answerInference } from './inference.ts';
import type { CommonRequest, RouteAdapter } from './route-adapter.ts';
import type { Services } from './services.ts';

/** The handler of one POST route: the units in the order in which a request may be refused. */
export function inferenceHandler<Request extends CommonRequest>(
  adapter: RouteAdapter<Request>,
  services: Services,
  edgeLock: readonly Unit[] = [],
) {
  const { ledger, telemetry } = services;
  return functionUrlHandler({
    units: [
      giveRequestId(services.newUuid),
      ...edgeLock,
      onlyRoute('POST', adapter.path),
      authenticate(ledger),
      jsonBody(),
    ],
    handler: (event) => answerInference(adapter, event, keyOf(event), services),
    onFault: (error, requestId) => telemetry.fault('request_failed', error, { requestId }),
    onRefused: (error, event) =>
      telemetry.requestRefused(refusedRecord(adapter.route, error, event, services.now())),
    errorHeaders: (event) => {
      const key = findKey(event);
      const state = key && ledger.rateLimitOf(key);
      return state ? rateLimitHeaders(state) : {};
    },
    beforeInvocationEnds: ledger.finishPending,
  });
}

/**
 * A request that took no hold: it was refused before, or the hold was. No usage is recorded of it,
 * as the specification asks where the database could not be reached (part 7).
 */
function refusedRecord(
  route: string,
  error: GatewayError,
  event: FunctionUrlEvent,
  nowMs: number,
): RefusedRecord {
  const key = findKey(event);
  const { status, type } = ERRORS[error.code];
  const totalMs = elapsedMs(event.requestContext.timeEpoch, nowMs);
  return {
    requestId: requestIdOf(event),
    route,
    status,
    ...(key ? { accountId: key.accountId, keyId: key.keyId } : {}),
    firstByteMs: totalMs,
    totalMs,
    errorType: type,
  };
}
