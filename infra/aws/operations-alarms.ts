import { Alarm, ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { ledgerAlarms } from './operations-ledger-alarms.ts';
import type { Watched } from './operations-metrics.ts';
import { serviceAlarms } from './operations-service-alarms.ts';
import type { EnvironmentSettings } from './settings.ts';

/** Every alarm of the environment; each tells the topic when it begins and when it is over. */
export function createAlarms(
  watched: Watched,
  settings: EnvironmentSettings,
  topic: ITopic,
): Alarm[] {
  const action = new SnsAction(topic);
  return [...ledgerAlarms(watched), ...serviceAlarms(watched)].map((shape) => {
    const alarm = new Alarm(watched.stack, `${shape.name}-alarm`, {
      alarmName: `tollgate-${settings.name}-${shape.name}`,
      alarmDescription: `${shape.meaning} Runbook: docs/runbooks/${shape.name}.md`,
      metric: shape.metric,
      threshold: shape.threshold,
      comparisonOperator: shape.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: shape.periods ?? 1,
      datapointsToAlarm: shape.wrong ?? shape.periods ?? 1,
      treatMissingData: shape.missing,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  });
}
