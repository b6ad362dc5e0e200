import { countMergedTokens, MERGE_LIMIT } from './byte-pairs.ts';
import { pieceEnd } from './pieces.ts';

/** `o200k` is public; Anthropic's tokenizer is not, its counts are bounded by observation. */
export type Tokenizer = 'o200k' | 'anthropic';

/** A running count of text that arrives in parts, as a stream's deltas do. */
export interface TextTally {
  add(text: string): void;
  /** Tokens of everything added so far, never fewer than the tokenizer makes of it. */
  tokens(): number;
}

// Tokens per character as observed with Anthropic's models, margin included.
const ANTHROPIC_MARGIN = 1.3;
const ANTHROPIC_PER_BYTE = ANTHROPIC_MARGIN / 2.35;
const ANTHROPIC_PER_ASCII = ANTHROPIC_MARGIN / 2.55;
const ANTHROPIC_PER_CJK = ANTHROPIC_MARGIN * 1.35;
const ANTHROPIC_PER_SURROGATE = ANTHROPIC_MARGIN * 2;
const ANTHROPIC_PER_OTHER = ANTHROPIC_MARGIN * 1.8;
/** Over the o200k bound, which sees dense text (hex, base64, symbols) where classes do not. */
const ANTHROPIC_PER_O200K = 1.2;

/**
 * A conservative count of a text's tokens: for `o200k` never below the real count, and at most
 * twice it for prose and code. Counting stops soon after `limit`: what exceeds it is not needed.
 */
export function estimateTokens(text: string, tokenizer: Tokenizer, limit = Infinity): number {
  const merged = countPieces(text, limit);
  return tokenizer === 'o200k' ? merged : anthropicTokens(merged, classTokens(text));
}

/**
 * Keeps the parts as they are and counts them, as one text, only when it is asked: of most answers
 * the provider reports the usage, and their deltas should cost nothing here.
 */
export function createTextTally(tokenizer: Tokenizer): TextTally {
  const parts: string[] = [];
  return {
    add: (text) => void parts.push(text),
    tokens: () => estimateTokens(parts.join(''), tokenizer),
  };
}

function anthropicTokens(merged: number, byClass: ClassTokens): number {
  return Math.ceil(Math.max(merged * ANTHROPIC_PER_O200K, byClass.perByte, byClass.perCharacter));
}

function countPieces(text: string, limit: number): number {
  let tokens = 0;
  for (let start = 0; start < text.length && tokens <= limit; ) {
    const end = pieceEnd(text, start);
    tokens += end - start === 1 && text.charCodeAt(start) < 128 ? 1 : countPiece(text, start, end);
    start = end;
  }
  return tokens;
}

const CACHE_SLOTS = 1 << 13;
const CACHED_LENGTH = 12;
/** Direct-mapped: three words that spell a short ASCII piece out, and its count. */
const cache = new Int32Array(CACHE_SLOTS * 4);
const spelling = new Int32Array(3);
const bytes = new Uint8Array(MERGE_LIMIT);
const encoder = new TextEncoder();

function countPiece(text: string, start: number, end: number): number {
  if (end - start > CACHED_LENGTH || !spell(text, start, end)) {
    return countBytes(text.slice(start, end));
  }
  const [first = 0, second = 0, third = 0] = spelling;
  const hash = Math.imul(
    first ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35),
    0x9e3779b1,
  );
  const slot = (hash >>> 19) * 4;
  if (cache[slot] === first && cache[slot + 1] === second && cache[slot + 2] === third) {
    return cache[slot + 3] ?? end - start;
  }
  const count = countMergedTokens(bytes, end - start);
  cache[slot] = first;
  cache[slot + 1] = second;
  cache[slot + 2] = third;
  cache[slot + 3] = count;
  return count;
}

/** Writes an ASCII piece to `bytes` and `spelling`; false where it holds anything else. */
function spell(text: string, start: number, end: number): boolean {
  spelling.fill(0);
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return false;
    const offset = index - start;
    bytes[offset] = code;
    // One more than the code, so that a piece and its continuation by NUL are spelled differently.
    spelling[offset >> 2] = ((spelling[offset >> 2] ?? 0) << 8) | (code + 1);
  }
  return true;
}

function countBytes(piece: string): number {
  const { read, written } = encoder.encodeInto(piece, bytes);
  return read < piece.length ? Buffer.byteLength(piece) : countMergedTokens(bytes, written);
}

interface ClassTokens {
  readonly perByte: number;
  readonly perCharacter: number;
}

function classTokens(text: string): ClassTokens {
  let ascii = 0;
  let cjk = 0;
  let surrogates = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) ascii += 1;
    else if (code >= 0xd800 && code <= 0xdfff) surrogates += 1;
    else if (code >= 0x2e80 && code <= 0xffef) cjk += 1;
  }
  const other = text.length - ascii - cjk - surrogates;
  return {
    perByte: Buffer.byteLength(text) * ANTHROPIC_PER_BYTE,
    perCharacter:
      ascii * ANTHROPIC_PER_ASCII +
      cjk * ANTHROPIC_PER_CJK +
      surrogates * ANTHROPIC_PER_SURROGATE +
      other * ANTHROPIC_PER_OTHER,
  };
}
