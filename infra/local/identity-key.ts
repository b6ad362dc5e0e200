import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from './write-once.ts';

/** Makes the key of the provider-visible identity once for a data folder; returns its file. */
export function ensureIdentityKey(dataFolder: string): string {
  const path = join(dataFolder, 'identity.key');
  if (!existsSync(path)) writeOnce(path, randomBytes(32).toString('base64url'));
  return path;
}
