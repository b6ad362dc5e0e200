import { readFileSync } from 'node:fs';
import { createIdentity } from '../gateway/identity.ts';
import { type Environment, optional, required } from './environment.ts';
import { keepSecret } from './kept-secret.ts';

const SECRET = 'IDENTITY_KEY_SECRET_ARN';
const FILE = 'IDENTITY_KEY_FILE';

export type IdentityOf = (keyId: string) => Promise<string>;

/**
 * The provider-visible identity of a key, keyed by the secret at `IDENTITY_KEY_SECRET_ARN`, else by
 * the file `IDENTITY_KEY_FILE`. Throws an Error that names the setting at fault: at once for a file,
 * from the returned function for a secret.
 */
export function openIdentity(
  environment: Environment,
  onRenewalFailure: (error: unknown) => void,
): IdentityOf {
  const arn = optional(environment, SECRET);
  if (arn === undefined) {
    const identityOf = parseKey(FILE, readKeyFile(required(environment, FILE)));
    return async (keyId) => identityOf(keyId);
  }
  const parse = (text: string) => parseKey(SECRET, text);
  const kept = keepSecret({ name: SECRET, arn, parse, onRenewalFailure });
  return async (keyId) => (await kept.get())(keyId);
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`The file "${path}" of ${FILE} cannot be read.`, { cause });
  }
}

/** White space around a key is no part of it: editors end a file with a line break. */
function parseKey(setting: string, text: string): (keyId: string) => string {
  const key = text.trim();
  if (key === '') throw new Error(`The identity key of ${setting} is empty.`);
  return createIdentity(key);
}
