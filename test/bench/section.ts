/** A value that JSON can hold; every figure of a section is one. */
export type Figure =
  | string
  | number
  | boolean
  | null
  | readonly Figure[]
  | { readonly [name: string]: Figure };

/** What is to be reached, and what this run says of it. */
export interface Goal {
  readonly name: string;
  /** In words: `at most 0.5`. */
  readonly goal: string;
  /** Null where this run could not measure it. */
  readonly value: number | null;
  readonly met: boolean;
}

/** For people; every cell's figure stands in `figures` as well. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What one measurement found. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly tables: readonly Table[];
  readonly figures: { readonly [name: string]: Figure };
  readonly goals: readonly Goal[];
  /** What could not be measured, and why. */
  readonly notMeasured: readonly string[];
}

export interface BenchOptions {
  /** A short run of the same. */
  readonly quick: boolean;
  /** Tells who waits what is being measured now. */
  readonly progress: (what: string) => void;
}

/** One measurement of the bench. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly measure: (options: BenchOptions) => Promise<Omit<Section, 'name' | 'title'>>;
}
