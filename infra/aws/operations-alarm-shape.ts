import { Duration } from 'aws-cdk-lib';
import type { IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';

/** One alarm; `docs/runbooks/<name>.md` tells what to do about it. */
export interface AlarmShape {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** It is wrong from this on, or below it where `below` is set. */
  readonly threshold: number;
  readonly below?: boolean;
  /** Periods of the metric that are looked at, and how many of them must be wrong; default 1 of 1. */
  readonly periods?: number;
  readonly wrong?: number;
  readonly missing: TreatMissingData;
}

export const FIVE_MINUTES = Duration.minutes(5);
export const HOUR = Duration.hours(1);
