import { HOLD_SHARDS } from '../../../shared/ledger/tables.ts';
import { GB_SECOND, MILLION, READ_UNITS_PER_MILLION } from './per-request.ts';

export interface MonthlyCost {
  readonly what: string;
  /** US dollars a month, by list price. */
  readonly amount: number;
  readonly when: string;
}

/** How many secrets an environment has. */
export const SECRETS = 3;
const SECRET = 0.4;
const SWEEPS = 30 * 24 * 60;
const SWEEP_SECONDS = 0.5;
/** Queries of one sweep: seven buckets of ten minutes, each in shards, a unit at least each. */
const SWEEP_READ_UNITS = 7 * HOLD_SHARDS;
/** How many alarms the operations stack has; its test counts them. */
export const ALARMS = 19;
const ALARM = 0.1;
const DASHBOARD = 3;
/** Own metrics with each of their dimensions; they are charged by the hour in which they occur. */
const METRICS = 60;
const METRIC = 0.3;
const ENCRYPTION_KEY = 1;

/** What an environment costs in a month without a single request. */
export const MONTHLY: readonly MonthlyCost[] = [
  {
    what: `${SECRETS} secrets`,
    amount: SECRETS * SECRET,
    when: 'always',
  },
  {
    what: 'The sweep, every minute',
    amount:
      SWEEPS * SWEEP_SECONDS * 0.25 * GB_SECOND +
      (SWEEPS * SWEEP_READ_UNITS * READ_UNITS_PER_MILLION) / MILLION,
    when: 'always',
  },
  { what: `${ALARMS} alarms`, amount: ALARMS * ALARM, when: 'always' },
  { what: 'Encryption key of the alarms’ topic', amount: ENCRYPTION_KEY, when: 'always' },
  {
    what: `${METRICS} metrics of our own, at most`,
    amount: METRICS * METRIC,
    when: 'in proportion to the hours with requests',
  },
  { what: 'Dashboard', amount: DASHBOARD, when: 'always; the first three of an account are free' },
  {
    what: 'Large bodies: one task of 1 vCPU and 4 GB with its public address, and a load balancer',
    amount: 38 + 20,
    when: 'with `-c largeBodies=true`',
  },
  {
    what: 'Firewall: a web ACL and its rules',
    amount: 9,
    when: 'with `-c firewall=true`; 0.60 for a million requests more',
  },
];
