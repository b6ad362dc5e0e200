/**
 * The split that o200k tokenizers make before they merge bytes: no token crosses a piece.
 * ASCII is split by hand, several times faster than by the pattern, which decides the rest.
 */
const LETTERS = String.raw`[^\r\n\p{L}\p{N}]?`;
const UPPER_LIKE = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const LOWER_LIKE = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const CONTRACTION = `(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?`;
const PIECE = new RegExp(
  [
    `${LETTERS}${UPPER_LIKE}*${LOWER_LIKE}+${CONTRACTION}`,
    `${LETTERS}${UPPER_LIKE}+${LOWER_LIKE}*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'yu',
);

const END = 0;
const UPPER = 1;
const LOWER = 2;
const DIGIT = 3;
const NEWLINE = 4;
const SPACE = 5;
const SYMBOL = 6;
const NOT_ASCII = 7;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOfAscii(code));

const CODE_SPACE = 32;
const CODE_APOSTROPHE = 39;
const CODE_SLASH = 47;
const MAX_DIGITS = 3;
/** Says that a piece touches something that is not ASCII, so that the pattern must decide. */
const UNDECIDED = -1;

/** Index after the piece that starts at `start`, which is below the text's length. */
export function pieceEnd(text: string, start: number): number {
  const end = asciiPieceEnd(text, start);
  if (end !== UNDECIDED) {
    return end;
  }
  PIECE.lastIndex = start;
  return PIECE.test(text) ? PIECE.lastIndex : start + 1;
}

function classOfAscii(code: number): number {
  const character = String.fromCharCode(code);
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[a-z]/.test(character)) return LOWER;
  if (/\d/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return NEWLINE;
  return /\s/.test(character) ? SPACE : SYMBOL;
}

function classAt(text: string, index: number): number {
  if (index >= text.length) {
    return END;
  }
  const code = text.charCodeAt(index);
  return code < 128 ? (CLASSES[code] ?? SYMBOL) : NOT_ASCII;
}

function asciiPieceEnd(text: string, start: number): number {
  const first = classAt(text, start);
  if (first === UPPER || first === LOWER) return wordEnd(text, start);
  if (first === DIGIT) return digitsEnd(text, start);
  if (first === NOT_ASCII) return UNDECIDED;
  const second = classAt(text, start + 1);
  if (second === NOT_ASCII) return UNDECIDED;
  if (first !== NEWLINE && (second === UPPER || second === LOWER)) {
    return wordEnd(text, start + 1);
  }
  if (first === SYMBOL) return symbolsEnd(text, start);
  if (second === SYMBOL && text.charCodeAt(start) === CODE_SPACE) {
    return symbolsEnd(text, start + 1);
  }
  return whitespaceEnd(text, start);
}

function wordEnd(text: string, start: number): number {
  const lowerStart = runEnd(text, start, UPPER);
  const end = runEnd(text, lowerStart, LOWER);
  if (classAt(text, end) === NOT_ASCII) {
    return UNDECIDED;
  }
  return text.charCodeAt(end) === CODE_APOSTROPHE ? end + contractionLength(text, end) : end;
}

/** Length of `'s`, `'ll` and their like at an apostrophe; 0 where there is none. */
function contractionLength(text: string, apostrophe: number): number {
  const next = text.slice(apostrophe + 1, apostrophe + 3).toLowerCase();
  if (next === 'll' || next === 've' || next === 're') return 3;
  return /^[sdmt]/.test(next) ? 2 : 0;
}

function digitsEnd(text: string, start: number): number {
  let end = start + 1;
  while (end - start < MAX_DIGITS && classAt(text, end) === DIGIT) end += 1;
  return end - start < MAX_DIGITS && classAt(text, end) === NOT_ASCII ? UNDECIDED : end;
}

function symbolsEnd(text: string, start: number): number {
  let end = runEnd(text, start, SYMBOL);
  if (classAt(text, end) === NOT_ASCII) {
    return UNDECIDED;
  }
  while (classAt(text, end) === NEWLINE || text.charCodeAt(end) === CODE_SLASH) end += 1;
  return end;
}

/** White space up to its last line break; without one, all but the last, which joins what follows. */
function whitespaceEnd(text: string, start: number): number {
  let end = start;
  let afterNewline = start;
  for (let kind = classAt(text, end); kind === SPACE || kind === NEWLINE; ) {
    end += 1;
    if (kind === NEWLINE) afterNewline = end;
    kind = classAt(text, end);
  }
  if (classAt(text, end) === NOT_ASCII) return UNDECIDED;
  if (afterNewline > start) return afterNewline;
  return end === text.length || end - start === 1 ? end : end - 1;
}

function runEnd(text: string, start: number, kind: number): number {
  let end = start;
  while (classAt(text, end) === kind) end += 1;
  return end;
}
