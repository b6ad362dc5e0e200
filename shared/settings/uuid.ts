import { randomBytes } from 'node:crypto';
import { mintRequestId } from '../ledger/request-id.ts';

/** A fresh UUIDv7 of now. */
export function newUuidV7(): string {
  return mintRequestId(Date.now(), randomBytes(10));
}
