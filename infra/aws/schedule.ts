import type { Duration, Stack } from 'aws-cdk-lib';
import { type PrincipalBase, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Schedule,
  type ScheduleExpression,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { acknowledge, arnInFinding } from './acknowledge.ts';

/** When a function runs by itself. */
export interface FunctionSchedule {
  readonly description: string;
  readonly schedule: ScheduleExpression;
  /** How much later it may begin; by default not at all. */
  readonly flexible?: Duration;
  /** One run for each of these events, all at once; by default one run without an event. */
  readonly events?: readonly Readonly<Record<string, unknown>>[];
  /** How often a run that failed is repeated. */
  readonly retries: number;
  /** After this long a run is given up; the service's own limit is a day. */
  readonly givenUpAfter?: Duration;
}

/** The scheduler, on behalf of this account alone. */
export function schedulerOf({ account }: Stack): PrincipalBase {
  return new ServicePrincipal('scheduler.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': account } },
  });
}

/** Runs a function on a schedule, by a role that may do nothing but that. */
export function scheduleFunction(
  stack: Stack,
  handler: LambdaFunction,
  { description, schedule, flexible, events = [{}], retries, givenUpAfter }: FunctionSchedule,
): void {
  const name = handler.node.id;
  const role = new Role(stack, `${name}-schedule-role`, {
    description: `Starts ${name}`,
    assumedBy: schedulerOf(stack),
  });
  acknowledge(role, {
    [`IAM5[Resource::${arnInFinding(handler)}:*]`]:
      'Every version of this one function, which the library always grants with it.',
  });
  for (const [number, event] of events.entries()) {
    new Schedule(stack, `${name}-schedule-${number}`, {
      description,
      schedule,
      ...(flexible && { timeWindow: TimeWindow.flexible(flexible) }),
      target: new LambdaInvoke(handler, {
        role,
        input: ScheduleTargetInput.fromObject(event),
        retryAttempts: retries,
        ...(givenUpAfter && { maxEventAge: givenUpAfter }),
      }),
    });
  }
}
