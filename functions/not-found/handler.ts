import { functionUrlHandler, giveRequestId, notFound } from '../../shared/http/middleware.ts';
import { openEdgeLock } from '../../shared/settings/edge-lock.ts';
import { newUuidV7 } from '../../shared/settings/uuid.ts';
import { writeLogLine } from '../../shared/telemetry/log-lines.ts';
import { createJsonTelemetry } from '../../shared/telemetry/request-log.ts';

const telemetry = createJsonTelemetry(writeLogLine);

/** Every path that is no route of the service. */
export const handler = functionUrlHandler({
  units: [giveRequestId(newUuidV7), ...openEdgeLock(process.env, telemetry)],
  handler: async ({ requestContext, rawPath }) => {
    throw notFound(requestContext.http.method, rawPath);
  },
  onFault: (error, requestId) => telemetry.fault('request_failed', error, { requestId }),
});
