import { createHash } from 'node:crypto';

/*
 * A secret is `tg_`, 256 random bits in base64url (43 characters), and six characters of checksum:
 * a mistyped secret is refused without asking the database, and scanners of leaked
 * secrets can tell a real one.
 */
const PREFIX = 'tg_';
const SECRET_BYTES = 32;
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(
  `^${PREFIX}[A-Za-z0-9_-]{${SECRET_CHARACTERS}}[A-Za-z0-9_-]{${CHECKSUM_CHARACTERS}}$`,
);

/** Makes a secret out of 32 random bytes. */
export function formatApiKey(random: Uint8Array): string {
  if (random.length !== SECRET_BYTES) throw new RangeError('a secret takes 32 random bytes');
  const body = PREFIX + Buffer.from(random).toString('base64url');
  return body + checksum(body);
}

/** The hash under which a secret is stored, or undefined for what cannot be a secret of ours. */
export function parseApiKey(text: string): string | undefined {
  if (!SHAPE.test(text)) return undefined;
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(body) === text.slice(-CHECKSUM_CHARACTERS) ? hashOf(text) : undefined;
}

function checksum(body: string): string {
  return createHash('sha256')
    .update(`checksum ${body}`)
    .digest('base64url')
    .slice(0, CHECKSUM_CHARACTERS);
}

/** SHA-256 suffices for 256 random bits: there is nothing to guess that a slow hash would protect. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
