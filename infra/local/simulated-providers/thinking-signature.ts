import { createHash } from 'node:crypto';

/** Signs a thinking block's text, as the provider does, so that a changed one is noticed. */
export function signThinking(thinking: string): string {
  return `sim${createHash('sha256').update(thinking).digest('base64')}`;
}
