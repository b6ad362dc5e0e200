import { parseArgs } from 'node:util';
import { type NanoUsd, parseUsd } from '../../shared/pricing/money.ts';

/** The command line is wrong: one line for people, exit 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A command's arguments, checked against what it takes: positionals by order, options by name. */
export interface Arguments {
  /** Throws UsageError where it is missing. */
  positional(index: number): string;
  text(name: string): string | undefined;
  /** Throws UsageError where it is missing. */
  required(name: string): string;
}

export interface CommandShape {
  /** Names of the positionals, all required. */
  readonly positionals: readonly string[];
  readonly options: readonly string[];
}

/** Options that every command takes: where the tables are. */
const PLACE_OPTIONS = ['env', 'region'] as const;

/** parseArgs takes `-5.00` for options: a negative amount goes through it disguised. */
const MINUS = '\u2212';

/** Reads the words after the command's name. Throws UsageError for anything that it does not take. */
export function readArguments(words: readonly string[], shape: CommandShape): Arguments {
  const names = [...shape.options, ...PLACE_OPTIONS];
  const { values, positionals } = parse(words, names);
  if (positionals.length > shape.positionals.length) {
    throw new UsageError(`unexpected argument "${positionals[shape.positionals.length]}"`);
  }
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? undisguised(value) : undefined;
  };
  return {
    positional(index) {
      const value = positionals[index];
      if (value === undefined || value === '') {
        throw new UsageError(`missing ${shape.positionals[index]}`);
      }
      return undisguised(value);
    },
    text,
    required(name) {
      const value = text(name);
      if (value === undefined || value === '') throw new UsageError(`missing --${name}`);
      return value;
    },
  };
}

function parse(words: readonly string[], names: readonly string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({
      args: words.map((word) => word.replace(/^-(?=[\d.])/, MINUS)),
      options,
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const [line = 'wrong arguments'] = String(error instanceof Error ? error.message : error).split(
      '\n',
    );
    throw new UsageError(line);
  }
}

function undisguised(text: string): string {
  return text.startsWith(MINUS) ? `-${text.slice(1)}` : text;
}

/** Reads decimal US dollars. */
export function readAmount(text: string, name: string): NanoUsd {
  try {
    return parseUsd(text);
  } catch {
    throw new UsageError(
      `${name} is "${text}": give US dollars such as 25.00, nine decimals at most`,
    );
  }
}

/** Reads an amount that is more than nothing. */
export function readPositiveAmount(text: string, name: string): NanoUsd {
  const amount = readAmount(text, name);
  if (amount <= 0n) throw new UsageError(`${name} is "${text}": it must be more than 0`);
  return amount;
}

/** Reads a time as ISO 8601 with its zone, as epoch milliseconds. */
export function readTime(text: string, name: string): number {
  const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
  const timeMs = shape.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs)) {
    throw new UsageError(`${name} is "${text}": give a time such as 2026-12-31T23:59:59Z`);
  }
  return timeMs;
}

/** Reads a whole number within bounds. */
export function readWhole(
  text: string,
  name: string,
  bounds: { from: number; to: number },
): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < bounds.from || value > bounds.to) {
    throw new UsageError(
      `${name} is "${text}": give a whole number from ${bounds.from} to ${bounds.to}`,
    );
  }
  return value;
}

/** Reads tokens a second: a decimal above nothing, at most a million. */
export function readRate(text: string, name: string): string {
  const value = Number(text);
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(text) || value <= 0 || value > 1_000_000) {
    throw new UsageError(`${name} is "${text}": give tokens a second, for example 10 or 0.5`);
  }
  return text;
}
