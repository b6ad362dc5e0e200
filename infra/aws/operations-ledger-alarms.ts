import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LATE_MINUTES } from '../../shared/telemetry/sweep-log.ts';
import { type AlarmShape, FIVE_MINUTES, HOUR } from './operations-alarm-shape.ts';
import { ownMetric, type Watched } from './operations-metrics.ts';

/** Nothing was counted, so nothing was wrong: the sweep counts every minute, and has alarms of its own. */
const QUIET_IS_WELL = TreatMissingData.NOT_BREACHING;
/** Only the next run may say that all is well again. */
const UNTIL_THE_NEXT = TreatMissingData.IGNORE;
/** What counts by itself has stopped. */
const SILENCE_IS_WRONG = TreatMissingData.BREACHING;

/** Alarms about money: what the ledger should be, and what must be settled, expired and drained. */
export function ledgerAlarms(watched: Watched): AlarmShape[] {
  return [
    ...verifyAlarms(watched),
    ...chargeAlarms(watched),
    ...sweepAlarms(watched),
    ...exportAlarms(watched),
  ];
}

function verifyAlarms(watched: Watched): AlarmShape[] {
  const hourly = { period: HOUR, statistic: Stats.MAXIMUM };
  return [
    {
      name: 'ledger-off',
      meaning: 'A balance, or what remains of a limit, is not what the ledger entries add up to.',
      metric: ownMetric(watched, 'LedgerDifferences', hourly),
      threshold: 1,
      missing: UNTIL_THE_NEXT,
    },
    {
      name: 'verify-incomplete',
      meaning: 'The daily check of the ledger failed, or did not reach every account.',
      // A run that fails counts no accounts, but the platform counts its error.
      metric: new MathExpression({
        expression: 'FILL(unverified, 0) + errors',
        usingMetrics: {
          unverified: ownMetric(watched, 'LedgerAccountsUnverified', { period: HOUR }),
          errors: watched.verify.metricErrors({ period: HOUR, statistic: Stats.SUM }),
        },
        label: 'accounts not verified, and runs that failed',
        period: HOUR,
      }),
      threshold: 1,
      missing: UNTIL_THE_NEXT,
    },
    {
      name: 'verify-missing',
      meaning: 'No daily check of the ledger has ended for thirty hours.',
      // A day, the schedule's quarter of an hour, the run, and some air.
      metric: ownMetric(watched, 'LedgerVerified', { period: Duration.hours(6) }),
      threshold: 1,
      below: true,
      periods: 5,
      missing: SILENCE_IS_WRONG,
    },
  ];
}

function chargeAlarms(watched: Watched): AlarmShape[] {
  return [
    {
      name: 'settlement-failures',
      meaning: 'A finished request could be charged neither in the ledger nor in the spool.',
      // One is one charge that is lost when its hold expires.
      metric: ownMetric(watched, 'SettlementFailures', { period: FIVE_MINUTES }),
      threshold: 1,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'spool-old',
      meaning: 'Charges wait in the spool and are not taken into the ledger.',
      // A hold expires after thirty minutes; a charge that comes later gets only what is available.
      // After six minutes the queue hands a charge over again: by fifteen two tries have failed.
      metric: watched.data.spool.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES }),
      threshold: Duration.minutes(15).toSeconds(),
      // A queue that nobody uses for hours reports nothing.
      missing: QUIET_IS_WELL,
    },
    {
      name: 'uncollected',
      meaning: 'A provider reported more usage than the hold covered: the excess was not charged.',
      // The hold is an upper bound, so this is a fault of ours or of the catalog, however small.
      metric: ownMetric(watched, 'UncollectedUsd', { period: FIVE_MINUTES }),
      threshold: 1e-9,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'holds-expired',
      meaning: 'A request took a hold and never settled it: what the provider did was not charged.',
      // Every way out of a request settles: an expiry is an environment that was killed.
      metric: ownMetric(watched, 'HoldsExpired', { period: FIVE_MINUTES }),
      threshold: 1,
      missing: QUIET_IS_WELL,
    },
  ];
}

function exportAlarms({ finance }: Watched): AlarmShape[] {
  return [
    {
      name: 'export-failed',
      meaning: 'The exports of the ledger for finance failed, or have a gap.',
      metric: finance.exportLedger.metricErrors({ period: HOUR, statistic: Stats.SUM }),
      threshold: 1,
      // A gap is an error too. A run that failed is made up for by the next one, six hours later.
      missing: UNTIL_THE_NEXT,
    },
    {
      name: 'export-missing',
      meaning: 'No export of the ledger has been begun for eighteen hours.',
      // Three runs in a row; each makes up for the ones before it.
      metric: finance.exportLedger.metricInvocations({
        period: Duration.hours(6),
        statistic: Stats.SUM,
      }),
      threshold: 1,
      below: true,
      periods: 3,
      missing: SILENCE_IS_WRONG,
    },
  ];
}

function sweepAlarms(watched: Watched): AlarmShape[] {
  return [
    {
      name: 'sweep-missing',
      meaning: 'No sweep has ended for ten minutes: holds do not expire, the spool is not drained.',
      // Ten sweeps in a row; a sweep that throws ends without being counted.
      metric: ownMetric(watched, 'Sweeps', { period: FIVE_MINUTES }),
      threshold: 1,
      below: true,
      periods: 2,
      missing: SILENCE_IS_WRONG,
    },
    {
      name: 'sweep-late',
      meaning: 'Holds whose time is up wait for the sweep: their amounts stay reserved.',
      metric: ownMetric(watched, 'SweepLagMinutes', {
        period: FIVE_MINUTES,
        statistic: Stats.MAXIMUM,
      }),
      threshold: LATE_MINUTES,
      missing: QUIET_IS_WELL,
    },
    {
      name: 'sweep-left',
      meaning: 'Sweeps leave holds, charges or credits that they cannot finish.',
      // One left behind is finished by the next sweep; in three periods in a row, something resists.
      metric: ownMetric(watched, 'SweepLeft', { period: FIVE_MINUTES }),
      threshold: 1,
      periods: 3,
      missing: QUIET_IS_WELL,
    },
  ];
}
