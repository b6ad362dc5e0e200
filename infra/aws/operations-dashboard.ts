import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IWidget,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  functionMetrics,
  ownMetric,
  ownMetricBy,
  routeFunctions,
  throttleEvents,
  type Watched,
} from './operations-metrics.ts';
import type { EnvironmentSettings } from './settings.ts';

const period = Duration.minutes(5);
/** Of the 24 columns of a dashboard. */
const THIRD = 8;

/** One page for the environment: what clients see, then money, then what it stands on. */
export function createDashboard(
  watched: Watched,
  { name }: EnvironmentSettings,
  alarms: readonly Alarm[],
): void {
  const dashboard = new Dashboard(watched.stack, 'dashboard', {
    dashboardName: `tollgate-${name}`,
    defaultInterval: Duration.hours(12),
  });
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 }),
  );
  dashboard.addWidgets(...requestWidgets(watched));
  dashboard.addWidgets(...moneyWidgets(watched));
  dashboard.addWidgets(...providerWidgets(watched));
  dashboard.addWidgets(...platformWidgets(watched));
}

function graph(title: string, props: Omit<GraphWidgetProps, 'title' | 'width'>): IWidget {
  return new GraphWidget({ title, width: THIRD, leftYAxis: { min: 0 }, ...props });
}

function requestWidgets(watched: Watched): IWidget[] {
  const percentiles = [Stats.percentile(50), Stats.percentile(99)];
  return [
    graph('Requests', {
      left: [ownMetricBy(watched, 'Requests', 'route', { period })],
      right: [ownMetric(watched, 'ServerErrors', { period, statistic: Stats.SUM })],
    }),
    graph('Latency to first byte (ms)', {
      left: percentiles.map((statistic) =>
        ownMetric(watched, 'FirstByteLatency', { period, statistic, label: statistic }),
      ),
    }),
    graph('Errors by type', {
      left: [ownMetricBy(watched, 'Errors', 'errorType', { period })],
      stacked: true,
    }),
  ];
}

function moneyWidgets(watched: Watched): IWidget[] {
  return [
    graph('Spend by provider (USD)', {
      left: [ownMetricBy(watched, 'SpendUsd', 'provider', { period })],
      right: [ownMetric(watched, 'UncollectedUsd', { period })],
      stacked: true,
    }),
    graph('Holds open (mean; exact once a day), expired', {
      left: [
        meanHoldsOpen(watched),
        ownMetric(watched, 'HoldsOpen', { period, label: 'open at the daily check' }),
      ],
      right: [
        ownMetric(watched, 'HoldsExpired', { period, label: 'expired' }),
        ownMetric(watched, 'HoldsReapplied', { period, label: 'applied by the sweep' }),
      ],
    }),
    graph('Spool and sweep', {
      left: [
        ownMetric(watched, 'SpooledCharges', { period, label: 'charges spooled' }),
        ownMetric(watched, 'SpoolDrained', { period, label: 'charges drained' }),
        ownMetric(watched, 'SweepLeft', { period, label: 'left by sweeps' }),
        ownMetric(watched, 'SettlementFailures', { period, label: 'charges lost' }),
      ],
      right: [
        ownMetric(watched, 'SweepLagMinutes', {
          period,
          statistic: Stats.MAXIMUM,
          label: 'lag (min)',
        }),
      ],
    }),
  ];
}

/**
 * By Little's law the holds that were open on average are the time that the settled ones were open,
 * over the time looked at. Nothing counts open holds by the minute: they lie in each account's
 * balance, and only the daily check reads every balance.
 */
function meanHoldsOpen(watched: Watched): MathExpression {
  return new MathExpression({
    expression: 'held / 1000 / PERIOD(held)',
    usingMetrics: { held: ownMetric(watched, 'HoldDuration', { period }) },
    label: 'open on average',
    period,
  });
}

function providerWidgets(watched: Watched): IWidget[] {
  const statistic = Stats.percentile(50);
  return [
    graph('Upstream latency by provider (ms, p50)', {
      left: [ownMetricBy(watched, 'UpstreamLatency', 'provider', { period, statistic })],
    }),
    graph('Upstream failures by provider', {
      left: [ownMetricBy(watched, 'UpstreamFailures', 'provider', { period })],
      stacked: true,
    }),
    graph('Tokens', {
      left: [
        ownMetric(watched, 'InputTokens', { period, label: 'input' }),
        ownMetric(watched, 'OutputTokens', { period, label: 'output' }),
      ],
      right: [ownMetric(watched, 'EstimatedCharges', { period, label: 'estimated charges' })],
    }),
  ];
}

/** Throttles, and what costs: running time and write units. */
function platformWidgets(watched: Watched): IWidget[] {
  const functions = [...routeFunctions(watched), watched.api.sweep, watched.verify];
  const { gateway, ledger } = watched.data;
  return [
    graph('Throttles', {
      left: [
        ...throttleEvents(watched, period),
        ...functionMetrics(functions, 'Throttles', { period }),
      ],
    }),
    graph('Running time of functions (ms)', {
      left: functionMetrics(functions, 'Duration', { period }),
      stacked: true,
    }),
    graph('Write units of the tables', {
      left: [gateway, ledger].map((table) =>
        table.metricConsumedWriteCapacityUnits({ period, label: table.node.id }),
      ),
      right: [gateway, ledger].map((table) =>
        table.metricConsumedReadCapacityUnits({ period, label: `${table.node.id} read units` }),
      ),
    }),
  ];
}
