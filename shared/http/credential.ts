import { GatewayError, invalidRequest } from '../api/error.ts';

const KEY_HEADERS = ['api-key', 'x-api-key', 'x-alt-api-key'] as const;
const BEARER = /^bearer\s+/i;

/**
 * Finds the gateway API key in any of the five headers of part 5. The same key may stand in
 * several; two different ones are a 400, none is a 401.
 */
export function readApiKey(headers: Readonly<Record<string, string | undefined>>): string {
  const found = new Set<string>();
  const authorization = headers.authorization?.trim();
  if (authorization) found.add(authorization.replace(BEARER, ''));
  for (const name of KEY_HEADERS) {
    const value = headers[name]?.trim();
    if (value) found.add(value);
  }
  const [key, another] = found;
  if (key === undefined) {
    throw new GatewayError(
      'authentication',
      'No API key was sent. Send your gateway API key as `Authorization: Bearer <API_KEY>`.',
    );
  }
  if (another !== undefined) {
    throw invalidRequest('Two different API keys were sent in two headers. Send one key.');
  }
  return key;
}
