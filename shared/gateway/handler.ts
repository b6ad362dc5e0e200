import { authenticate, findKey, keyOf } from '../http/authenticate.ts';
import { jsonBody } from '../http/json-body.ts';
import { functionUrlHandler, giveRequestId, onlyRoute } from '../http/middleware.ts';
import { rateLimitHeaders } from './deliver.ts';
import { answerInference } from './inference.ts';
import type { CommonRequest, RouteAdapter } from './route-adapter.ts';
import type { Services } from './services.ts';

/** The handler of one POST route: the units in the order in which a request may be refused. */
export function inferenceHandler<Request extends CommonRequest>(
  adapter: RouteAdapter<Request>,
  services: Services,
) {
  const { ledger, telemetry } = services;
  return functionUrlHandler({
    units: [
      giveRequestId(services.newUuid),
      onlyRoute('POST', adapter.path),
      authenticate(ledger),
      jsonBody(),
    ],
    handler: (event) => answerInference(adapter, event, keyOf(event), services),
    onFault: (error, requestId) => telemetry.fault('request_failed', error, { requestId }),
    errorHeaders: (event) => {
      const key = findKey(event);
      const state = key && ledger.rateLimitOf(key);
      return state ? rateLimitHeaders(state) : {};
    },
    beforeInvocationEnds: ledger.finishPending,
  });
}
