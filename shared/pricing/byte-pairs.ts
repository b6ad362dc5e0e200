import { O200K_MERGES } from './o200k-merges.ts';

/** Longest piece, in bytes, that is merged; longer ones count a token a byte. */
export const MERGE_LIMIT = 384;

const NO_MERGE = 0x7fffffff;
const SLOT_BITS = 16;
const SLOT_MASK = (1 << SLOT_BITS) - 1;
/** Above every token ID, so that a pair of IDs makes one unique key. */
const ID_SPACE = 1 << 14;
/** The first tokens of the vocabulary are the single bytes. */
const SINGLE_BYTES = 256;

interface MergeTable {
  /** Token ID of each single byte. */
  readonly byteIds: Int32Array;
  /** Open-addressed map: pair of adjacent token IDs to the ID (and rank) of the token they merge to. */
  readonly keys: Int32Array;
  readonly merged: Int32Array;
}

const table = readTable(O200K_MERGES);
const ids = new Int32Array(MERGE_LIMIT + 1);
const ranks = new Int32Array(MERGE_LIMIT + 1);

/**
 * Counts the tokens of one piece by merging byte pairs in the order of their ranks, with the
 * first ranks of the o200k vocabulary only. Merging always takes the lowest rank there is, so
 * this is a state that the whole vocabulary's tokenizer passes through as well; it can only
 * merge further. Hence the result is never below the real count, for any bytes.
 */
export function countMergedTokens(bytes: Uint8Array, length: number): number {
  if (length > MERGE_LIMIT) {
    return length;
  }
  for (let index = 0; index < length; index++) {
    ids[index] = table.byteIds[bytes[index] ?? 0] ?? 0;
  }
  for (let index = 0; index + 1 < length; index++) {
    ranks[index] = mergeOf(ids[index] ?? 0, ids[index + 1] ?? 0);
  }
  let count = length;
  for (let at = lowestRank(count); at >= 0; at = lowestRank(count)) {
    count -= 1;
    mergeAt(at, count);
  }
  return count;
}

/** Index of the leftmost pair with the lowest rank, or -1 when nothing merges any more. */
function lowestRank(count: number): number {
  let lowest = NO_MERGE;
  let at = -1;
  for (let index = 0; index + 1 < count; index++) {
    const rank = ranks[index] ?? NO_MERGE;
    if (rank < lowest) {
      lowest = rank;
      at = index;
    }
  }
  return at;
}

/** Merges the pair at an index; `count` is the number of tokens that remain. */
function mergeAt(at: number, count: number): void {
  const token = ranks[at] ?? 0;
  ids[at] = token;
  for (let index = at + 1; index < count; index++) {
    ids[index] = ids[index + 1] ?? 0;
    ranks[index] = ranks[index + 1] ?? NO_MERGE;
  }
  if (at > 0) {
    ranks[at - 1] = mergeOf(ids[at - 1] ?? 0, token);
  }
  if (at + 1 < count) {
    ranks[at] = mergeOf(token, ids[at + 1] ?? 0);
  }
}

function mergeOf(left: number, right: number): number {
  const key = left * ID_SPACE + right;
  const slot = slotOf(table.keys, key);
  return table.keys[slot] === key ? (table.merged[slot] ?? NO_MERGE) : NO_MERGE;
}

function slotOf(keys: Int32Array, key: number): number {
  let slot = Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
  while (keys[slot] !== -1 && keys[slot] !== key) {
    slot = (slot + 1) & SLOT_MASK;
  }
  return slot;
}

/**
 * Reads the table: the byte that each of the first 256 tokens stands for, then for every further
 * token, in the order of their ranks, how many pairs merge to it and the two IDs of each. It was
 * worked out beforehand, for this runs on every cold start.
 */
function readTable(base64: string): MergeTable {
  const bytes = Buffer.from(base64, 'base64');
  const keys = new Int32Array(SLOT_MASK + 1).fill(-1);
  const merged = new Int32Array(SLOT_MASK + 1);
  const byteIds = new Int32Array(SINGLE_BYTES);
  for (let id = 0; id < SINGLE_BYTES; id += 1) {
    byteIds[bytes.readUInt8(id)] = id;
  }
  let id = SINGLE_BYTES;
  for (let at = SINGLE_BYTES; at < bytes.length; id += 1) {
    const end = at + 1 + 4 * bytes.readUInt8(at);
    for (at += 1; at < end; at += 4) {
      const key = bytes.readUInt16LE(at) * ID_SPACE + bytes.readUInt16LE(at + 2);
      const slot = slotOf(keys, key);
      keys[slot] = key;
      merged[slot] = id;
    }
  }
  return { byteIds, keys, merged };
}
