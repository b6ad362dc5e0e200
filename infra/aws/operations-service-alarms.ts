import { MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { type AlarmShape, FIVE_MINUTES } from './operations-alarm-shape.ts';
import {
  functionMetrics,
  ownMetric,
  routeFunctions,
  sumOf,
  throttleEvents,
  type Watched,
} from './operations-metrics.ts';

/** Nobody asked, so nobody was refused. */
const QUIET_IS_WELL = TreatMissingData.NOT_BREACHING;

/** Below this many requests in five minutes one failure is a large share and means little. */
const FEWEST_REQUESTS = 20;
const WORST_SHARE_PERCENT = 5;
const period = FIVE_MINUTES;

/** Alarms about what clients see, and what makes them see it. */
export function serviceAlarms(watched: Watched): AlarmShape[] {
  return [...errorAlarms(watched), ...capacityAlarms(watched)];
}

function errorAlarms(watched: Watched): AlarmShape[] {
  return [
    {
      name: 'server-errors',
      meaning: 'Of the requests to models, 5 % or more were answered with a 500 or 503.',
      metric: new MathExpression({
        expression: `IF(requests >= ${FEWEST_REQUESTS}, 100 * failed / requests, 0)`,
        usingMetrics: {
          failed: ownMetric(watched, 'ServerErrors', { period }),
          requests: ownMetric(watched, 'Requests', { period }),
        },
        label: '% of requests with 5xx',
        period,
      }),
      threshold: WORST_SHARE_PERCENT,
      periods: 3,
      // A provider's hiccup of a few seconds is over before anyone can look.
      wrong: 2,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'url-errors',
      meaning: 'Function URLs answer with 5xx, the platform’s own among them.',
      // What the platform answers for a function that crashed is in no metric of ours.
      metric: sumOf(
        functionMetrics(routeFunctions(watched), 'Url5xxCount', { period }),
        '5xx',
        period,
      ),
      threshold: 10,
      periods: 3,
      wrong: 2,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'function-errors',
      meaning:
        'A function crashed, ran out of time or memory, or broke off after its answer began.',
      // Refusals and providers' failures are answers, not errors of a function: none is normal.
      metric: sumOf(
        functionMetrics([...routeFunctions(watched), watched.api.sweep], 'Errors', { period }),
        'errors',
        period,
      ),
      threshold: 1,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'secrets-unreadable',
      meaning: 'Provider credentials or the identity key could not be read anew.',
      // What a process holds serves on; new processes have nothing to serve with.
      metric: ownMetric(watched, 'Faults', { period, where: { what: 'secret_renewal_failed' } }),
      threshold: 1,
      periods: 2,
      missing: QUIET_IS_WELL,
    },
  ];
}

function capacityAlarms(watched: Watched): AlarmShape[] {
  const functions = [...routeFunctions(watched), watched.api.sweep, watched.verify];
  return [
    {
      name: 'database-unavailable',
      meaning: 'Requests are refused with 503 because the database does not answer.',
      // A single one is a lost packet; clients try again by themselves.
      metric: ownMetric(watched, 'DatabaseUnavailable', { period }),
      threshold: 5,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'table-throttles',
      meaning: 'DynamoDB throttles reads or writes: an account, a key or a table is too hot.',
      // The ledger repeats a throttled write; some are survived unseen.
      metric: sumOf(throttleEvents(watched, period), 'throttled', period),
      threshold: 10,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'function-throttles',
      meaning: 'Lambda refuses to start functions: the account’s concurrency is used up.',
      // The client gets the platform’s 429, not ours, and a sweep may be skipped.
      metric: sumOf(
        functionMetrics(functions, 'Throttles', { period, statistic: Stats.SUM }),
        'throttled',
        period,
      ),
      threshold: 1,
      missing: QUIET_IS_WELL,
    },
  ];
}
