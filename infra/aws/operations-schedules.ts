import { Duration, type Stack, TimeZone } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { scheduleFunction } from './schedule.ts';
import type { EnvironmentSettings } from './settings.ts';

/** At night in Europe and in America; it may begin a quarter of an hour later. */
const VERIFY_HOUR_UTC = '3';
const VERIFY_FLEXIBLE = Duration.minutes(15);

/** A sweep that failed is made up for by the next one. */
export function scheduleSweep(stack: Stack, handler: LambdaFunction): void {
  scheduleFunction(stack, handler, {
    description: 'Sweeps holds every minute',
    schedule: ScheduleExpression.rate(Duration.minutes(1)),
    retries: 0,
  });
}

/** One run for each share of the accounts. It reads only, so that a repetition does no harm. */
export function scheduleVerify(
  stack: Stack,
  handler: LambdaFunction,
  { verifyParts }: EnvironmentSettings,
): void {
  scheduleFunction(stack, handler, {
    description: 'Verifies the ledger every day',
    schedule: ScheduleExpression.cron({
      minute: '0',
      hour: VERIFY_HOUR_UTC,
      timeZone: TimeZone.ETC_UTC,
    }),
    flexible: VERIFY_FLEXIBLE,
    events: Array.from({ length: verifyParts }, (_, part) => ({ part, of: verifyParts })),
    retries: 2,
    givenUpAfter: Duration.hours(1),
  });
}
