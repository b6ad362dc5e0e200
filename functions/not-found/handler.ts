import { functionUrlHandler, giveRequestId, notFound } from '../../shared/http/middleware.ts';
import { newUuidV7 } from '../../shared/settings/uuid.ts';

/** Every path that is no route of the service. */
export const handler = functionUrlHandler({
  units: [giveRequestId(newUuidV7)],
  handler: async ({ requestContext, rawPath }) => {
    throw notFound(requestContext.http.method, rawPath);
  },
  onFault: () => undefined,
});
