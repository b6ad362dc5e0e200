/**
 * Metrics of the service in CloudWatch's embedded metric format: numbers in a line of the log that
 * say of themselves which metrics they are. No call to CloudWatch, nothing logged twice.
 */

/** Every metric with its unit. Amounts are US dollars, for which CloudWatch has no unit. */
export const METRICS = {
  Requests: 'Count',
  Errors: 'Count',
  ServerErrors: 'Count',
  DatabaseUnavailable: 'Count',
  FirstByteLatency: 'Milliseconds',
  Duration: 'Milliseconds',
  HoldDuration: 'Milliseconds',
  UpstreamLatency: 'Milliseconds',
  UpstreamFailures: 'Count',
  SpendUsd: 'None',
  UncollectedUsd: 'None',
  EstimatedCharges: 'Count',
  InputTokens: 'Count',
  OutputTokens: 'Count',
  Faults: 'Count',
  SettlementFailures: 'Count',
  SpooledCharges: 'Count',
  Sweeps: 'Count',
  HoldsExpired: 'Count',
  HoldsReapplied: 'Count',
  SweepLeft: 'Count',
  SpoolDrained: 'Count',
  SweepLagMinutes: 'None',
  LedgerVerified: 'Count',
  LedgerAccounts: 'Count',
  LedgerAccountsUnverified: 'Count',
  LedgerEntries: 'Count',
  LedgerDifferences: 'Count',
  LedgerBalancesOff: 'Count',
  LedgerKeyRoomsOff: 'Count',
  HoldsOpen: 'Count',
  HoldsOpenUsd: 'None',
} as const;
export type MetricName = keyof typeof METRICS;

/** Fields of a log line that split a metric. Each has few values: never a key, an account or a model. */
export const DIMENSIONS = ['route', 'provider', 'errorType', 'what'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Metrics of one log line: each is kept as a whole, and once more for every value of `by`. */
export interface MetricGroup {
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
  readonly by?: Dimension;
}

/** Where metrics go: one namespace for each environment. */
export interface MetricsTarget {
  /** For example `Tollgate/prod`. */
  readonly namespace: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The target that `METRICS_NAMESPACE` names: set on every function and container on AWS, whose logs
 * CloudWatch reads. Undefined elsewhere, and then log lines are plain.
 */
export function readMetricsTarget(environment: Environment): MetricsTarget | undefined {
  const { METRICS_NAMESPACE: namespace } = environment;
  return namespace === undefined || namespace === '' ? undefined : { namespace, now: Date.now };
}

/**
 * A log entry with the metrics in it, or as it was where there is no target. A group whose dimension
 * the entry does not have counts as a whole only; a metric in two groups must have one value.
 */
export function embedMetrics(
  entry: Readonly<Record<string, unknown>>,
  groups: readonly MetricGroup[],
  target: MetricsTarget | undefined,
): Record<string, unknown> {
  const counted = groups.filter(({ values }) => Object.keys(values).length > 0);
  if (!target || counted.length === 0) return { ...entry };
  return {
    ...entry,
    ...Object.assign({}, ...counted.map(({ values }) => values)),
    _aws: {
      Timestamp: target.now(),
      CloudWatchMetrics: counted.map(({ values, by }) => ({
        Namespace: target.namespace,
        Dimensions: by !== undefined && entry[by] !== undefined ? [[], [by]] : [[]],
        // The keys of a group are metric names by its type.
        Metrics: (Object.keys(values) as MetricName[]).map((Name) => ({
          Name,
          Unit: METRICS[Name],
        })),
      })),
    },
  };
}
