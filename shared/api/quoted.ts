const LONGEST_WORD = 64;

/** A client's value in a message: cut, and escaped so that it cannot garble a log line. */
export function quoted(value: unknown): string {
  const cut = typeof value === 'string' ? value.slice(0, LONGEST_WORD) : value;
  const text = JSON.stringify(cut) ?? 'undefined';
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
