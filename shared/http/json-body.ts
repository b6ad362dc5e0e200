import httpJsonBodyParser from '@middy/http-json-body-parser';
import { GatewayError, invalidRequest } from '../api/error.ts';
import type { Unit } from './middleware.ts';
import { decodeRequestBody } from './request-body.ts';

/** Turns the body of a POST event into its JSON value, at `event.body`. Every fault is a 400 or a 413. */
export function jsonBody(): Unit {
  const parser = httpJsonBodyParser();
  return {
    before: async (request) => {
      await decodeRequestBody(request.event);
      try {
        // The parser is typed for API Gateway events; it reads headers, body and isBase64Encoded.
        await parser.before?.(request as never);
      } catch (cause) {
        throw explain(cause);
      }
    },
  };
}

/** The parser answers 415 and 422 where the specification owes a 400 (part 7). */
function explain(cause: unknown): GatewayError {
  const status = cause instanceof Error && 'statusCode' in cause ? cause.statusCode : undefined;
  if (status === 415) {
    return invalidRequest('The content type must be JSON. Send `Content-Type: application/json`.');
  }
  const forbidden = cause instanceof Error && /forbidden key/i.test(cause.message);
  return new GatewayError(
    'invalid_request',
    forbidden
      ? 'The request body holds a forbidden key (`__proto__` or `constructor.prototype`). Remove it.'
      : 'The request body is not valid JSON. Send a JSON object.',
    { cause },
  );
}
