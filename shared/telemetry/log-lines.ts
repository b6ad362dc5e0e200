/**
 * Straight to the standard output: Lambda's own console would put time and request ID before the
 * line, and CloudWatch reads metrics only from a line that is JSON and nothing else.
 */
let write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Writes one line of the structured log. */
export function writeLogLine(line: string): void {
  write(line);
}

/** A host that shows lines in its own way takes them from here on. */
export function takeLogLines(taker: (line: string) => void): void {
  write = taker;
}
