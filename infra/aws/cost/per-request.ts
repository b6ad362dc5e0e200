/**
 * What a deployment costs, from published prices and counted units. Prices are of us-east-1, in US
 * dollars, of September 2026; other regions differ by some percent. Everything is an estimate for
 * planning, so plain numbers will do here.
 */

/** Amazon DynamoDB on demand, for a million units. */
export const WRITE_UNITS_PER_MILLION = 0.625;
export const READ_UNITS_PER_MILLION = 0.125;
/** AWS Lambda on arm64, for a GB-second of the first tier, and for a million requests. */
export const GB_SECOND = 0.0000133334;
const LAMBDA_PER_MILLION_REQUESTS = 0.2;
/** Amazon CloudWatch Logs, for a GB taken in. */
const LOG_GB = 0.5;
/** Data out to the internet, for a GB of the first tier. */
const GB_OUT = 0.09;
/** Amazon CloudFront, for a million HTTPS requests, and for a million runs of its function. */
const EDGE_PER_MILLION = 1.0 + 0.1;

/** Write units of a request, counted on the wire by test/end-to-end/money-counts.test.ts. */
export const WRITE_UNITS = { withoutLimits: 5, withBothLimits: 6 } as const;
/**
 * Read units of a request. None on its way, with a warm key; afterwards the sweep walks the hold
 * records of the last hour each minute, sixty times a third of a KB in strongly consistent units of
 * 4 KB, and the cache of keys is renewed now and then.
 */
const READ_UNITS = 5.5;
/** A request's line of the log, with its metrics in it. */
const LOG_LINE_KB = 2.1;
const ANSWER_KB = 30;
const KB_PER_GB = 1_000_000;
export const MILLION = 1_000_000;

export interface Workload {
  /** From the request's arrival until it is settled: Lambda is paid while it waits. */
  readonly seconds: number;
  /** Megabytes of the POST functions. */
  readonly memory: number;
  readonly writeUnits: number;
}

export interface Cost {
  readonly compute: number;
  readonly database: number;
  readonly logs: number;
  readonly traffic: number;
  readonly total: number;
}

/** US dollars for a million requests of one kind, without the providers' own prices. */
export function costPerMillion({ seconds, memory, writeUnits }: Workload): Cost {
  const compute = (memory / 1024) * seconds * GB_SECOND * MILLION + LAMBDA_PER_MILLION_REQUESTS;
  const database = writeUnits * WRITE_UNITS_PER_MILLION + READ_UNITS * READ_UNITS_PER_MILLION;
  const logs = ((LOG_LINE_KB * MILLION) / KB_PER_GB) * LOG_GB;
  const traffic = ((ANSWER_KB * MILLION) / KB_PER_GB) * GB_OUT;
  return { compute, database, logs, traffic, total: compute + database + logs + traffic };
}

/** US dollars for a million requests that go through the edge, beyond `costPerMillion`. */
export const EDGE_COST_PER_MILLION = EDGE_PER_MILLION;

/** US dollars for a million requests if the same protocol used transactions: twice the units. */
export function transactionsPerMillion(writeUnits: number): number {
  return 2 * writeUnits * WRITE_UNITS_PER_MILLION;
}
