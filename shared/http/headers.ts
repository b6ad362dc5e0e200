/** Headers that a browser may read on real answers. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
].join(', ');

/** On every answer of every host: CORS is open and carries no credentials; nothing is sniffed or framed. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The answer to a CORS preflight allows the method and the headers that it asks for. */
export function preflightHeaders(
  method: string,
  requestHeaders: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return {
    'access-control-allow-methods': `${method}, OPTIONS`,
    'access-control-allow-headers': requestHeaders['access-control-request-headers'] ?? '*',
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  };
}
