import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FunctionUrlEvent } from '../../shared/http/function-url.ts';

/** A request body as the host read it; `tooLarge` when it stopped at the limit. */
export type ReadBody =
  | { readonly text: string }
  | { readonly bytes: Buffer }
  | { readonly tooLarge: true };

const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript)\b)/i;

/** Builds the function URL event (payload format 2.0) of an HTTP request, as the platform would. */
export function toFunctionUrlEvent(
  request: IncomingMessage,
  body: ReadBody,
  requestId: string,
): FunctionUrlEvent {
  const url = request.url ?? '/';
  const queryStart = url.indexOf('?');
  const rawPath = queryStart < 0 ? url : url.slice(0, queryStart);
  const rawQueryString = queryStart < 0 ? '' : url.slice(queryStart + 1);
  const headers = joinHeaders(request);
  const now = new Date();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    ...eventBody(body),
  };
}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    if (values) headers[name] = values.join(',');
  }
  return headers;
}

/** Whether the platform hands a body over as text; a compressed one, or of another type, is base64. */
export function arrivesAsText(headers: IncomingHttpHeaders): boolean {
  return (
    headers['content-encoding'] === undefined && TEXT_TYPES.test(headers['content-type'] ?? '')
  );
}

function eventBody(
  body: ReadBody,
): Pick<FunctionUrlEvent, 'body' | 'isBase64Encoded' | 'bodyTooLarge'> {
  if ('tooLarge' in body) return { isBase64Encoded: false, bodyTooLarge: true };
  if ('text' in body) {
    return { ...(body.text === '' ? {} : { body: body.text }), isBase64Encoded: false };
  }
  if (body.bytes.length === 0) return { isBase64Encoded: false };
  return { body: body.bytes.toString('base64'), isBase64Encoded: true };
}
