/** Something wrong with a source file. */
export interface Fault {
  readonly file: string;
  /** Path of the field within the file, for example `models[2].prices.flex.output`. */
  readonly field: string;
  readonly problem: string;
}

/** Told of each fault; the compiler goes on, so that all of them are found at once. */
export type ReportFault = (fault: Fault) => void;

/** Thrown by the compiler: every fault that it found, one readable line each. */
export class CatalogSourceError extends Error {
  readonly lines: readonly string[];

  constructor(faults: readonly Fault[]) {
    const lines = [...new Set(faults.map(faultLine))];
    super(`The catalog's sources have faults:\n${lines.join('\n')}`);
    this.name = 'CatalogSourceError';
    this.lines = lines;
  }
}

function faultLine({ file, field, problem }: Fault): string {
  return `${file}: ${field}: ${problem}`;
}
