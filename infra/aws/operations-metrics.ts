import type { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Dimension, MetricName } from '../../shared/telemetry/embedded-metrics.ts';
import type { Api } from './api.ts';
import type { Data } from './data.ts';
import type { Finance } from './finance.ts';

/** The stacks that are watched. */
export interface WatchedParts {
  readonly data: Data;
  readonly api: Api;
  readonly finance: Finance;
}

/** What alarms, dashboard and queries look at. */
export interface Watched extends WatchedParts {
  readonly stack: Stack;
  /** Namespace of the service's own metrics. */
  readonly namespace: string;
  readonly verify: LambdaFunction;
}

export interface MetricOptions {
  /** By default their sum. */
  readonly statistic?: string;
  readonly period: Duration;
  /** One value of a dimension; by default the metric as a whole. */
  readonly where?: Readonly<Partial<Record<Dimension, string>>>;
  readonly label?: string;
}

/** One of the service's own metrics. */
export function ownMetric(
  { namespace }: Watched,
  metricName: MetricName,
  { statistic = Stats.SUM, period, where = {}, label = metricName }: MetricOptions,
): Metric {
  return new Metric({
    namespace,
    metricName,
    dimensionsMap: { ...where },
    statistic,
    period,
    label,
  });
}

/** One of the service's own metrics, a line for every value of a dimension that there is. */
export function ownMetricBy(
  { namespace }: Watched,
  metricName: MetricName,
  by: Dimension,
  { statistic = Stats.SUM, period }: Pick<MetricOptions, 'statistic' | 'period'>,
): MathExpression {
  const search = `{${namespace},${by}} MetricName="${metricName}"`;
  return new MathExpression({
    expression: `SEARCH('${search}', '${statistic}', ${period.toSeconds()})`,
    usingMetrics: {},
    label: `\${PROP('Dim.${by}')}`,
    period,
  });
}

/** A function metric of Lambda, each function on a line of its own. */
export function functionMetrics(
  functions: readonly LambdaFunction[],
  metricName: string,
  options: Pick<MetricOptions, 'statistic' | 'period'>,
): Metric[] {
  const { statistic = Stats.SUM, period } = options;
  return functions.map((handler) =>
    handler.metric(metricName, { statistic, period, label: handler.node.id }),
  );
}

/** The sum of some metrics; one that has no data counts as none. */
export function sumOf(metrics: readonly Metric[], label: string, period: Duration): MathExpression {
  const named = metrics.map((metric, number) => [`m${number}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period,
  });
}

/** Requests that a table would not take for their rate. */
export function throttleEvents({ data }: Watched, period: Duration): Metric[] {
  return [data.gateway, data.ledger].flatMap((table) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metricName) =>
      table.metric(metricName, {
        statistic: Stats.SUM,
        period,
        label: `${table.node.id} ${metricName}`,
      }),
    ),
  );
}

/** Functions that answer HTTP. */
export function routeFunctions({ api }: Watched): LambdaFunction[] {
  return Object.values(api.functions).map(({ handler }) => handler);
}
