/** Request IDs: UUIDv7, so that an ID tells when it was minted and sorts by that time. */

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ID_BYTES = 16;

/** Mints a UUIDv7 from epoch milliseconds and ten random bytes. */
export function mintRequestId(nowMs: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return formatUuid(bytes);
}

export function isRequestId(text: string): boolean {
  return UUID_V7.test(text);
}

/** Epoch milliseconds at which the ID was minted. */
export function mintedAtMs(requestId: string): number {
  return Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
}

/**
 * The same ID in 22 characters, as it names an open hold within an item: twenty of them and their
 * amounts stay within one write unit.
 */
export function shortId(requestId: string): string {
  return Buffer.from(requestId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** When the ID that is shortened so was minted: its first six bytes are the time. */
export function shortMintedAtMs(short: string): number {
  return Buffer.from(short.slice(0, 8), 'base64url').readUIntBE(0, 6);
}

export function longId(short: string): string {
  return formatUuid(Buffer.from(short, 'base64url'));
}

/** A stable small number out of the ID's random bits, from 0 to `shards` - 1. */
export function shardOf(requestId: string, shards: number): number {
  return Number.parseInt(requestId.slice(-4), 16) % shards;
}

/** The lowest ID that can be minted at that time, and the highest: bounds for a range of IDs. */
export function requestIdBounds(fromMs: number, toMs: number): { from: string; to: string } {
  return {
    from: mintRequestId(Math.max(fromMs, 0), new Uint8Array(10)),
    to: mintRequestId(toMs, new Uint8Array(10).fill(0xff)),
  };
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, hex);
}
