import { createHmac } from 'node:crypto';

/**
 * Makes the identity that providers see of a key (part 5.5): a keyed hash of the key's ID,
 * 64 hexadecimal characters, the longest that providers take.
 */
export function createIdentity(secret: string): (keyId: string) => string {
  return (keyId) => createHmac('sha256', secret).update(keyId).digest('hex');
}
