import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { routeFunctions, type Watched } from './operations-metrics.ts';
import type { EnvironmentSettings } from './settings.ts';

const REQUESTS = ['event = "request_finished"'];
const ANSWERS = ['event in ["request_finished", "request_refused"]'];
const FAULTS = ['event = "fault"'];

/** Questions that come up first, saved in Logs Insights under the environment's name. */
const QUERIES: Readonly<Record<string, ConstructorParameters<typeof QueryString>[0]>> = {
  'errors by type': {
    filterStatements: [...ANSWERS, 'status >= 400'],
    statsStatements: ['count(*) as requests by status, errorType, route'],
    sort: 'requests desc',
  },
  'faults and their causes': {
    fields: ['@timestamp', 'what', 'requestId', 'provider', 'causes.0', 'causes.1'],
    filterStatements: FAULTS,
    sort: '@timestamp desc',
    limit: 100,
  },
  'one request': {
    fields: ['@timestamp', '@log', '@message'],
    filterStatements: ['requestId = "PUT THE REQUEST ID HERE"'],
    sort: '@timestamp asc',
  },
  'slowest first bytes': {
    fields: ['@timestamp', 'requestId', 'provider', 'deployment', 'firstByteMs', 'upstreamMs'],
    filterStatements: [...REQUESTS, 'status = 200'],
    sort: 'firstByteMs desc',
    limit: 50,
  },
  'spend by key': {
    filterStatements: [...REQUESTS, 'status = 200'],
    statsStatements: ['sum(amountUsd) as usd, count(*) as requests by accountId, keyId'],
    sort: 'usd desc',
    limit: 50,
  },
  'provider failures': {
    filterStatements: [...FAULTS, 'what = "upstream_failure"'],
    statsStatements: ['count(*) as failures by provider, deployment, causes.0'],
    sort: 'failures desc',
  },
  'sweeps that left or expired something': {
    fields: ['@timestamp', 'expired', 'left', 'drained', 'uncollectedUsd', 'lagMinutes'],
    filterStatements: ['event = "holds_swept"', 'expired > 0 or left > 0 or lagMinutes > 1'],
    sort: '@timestamp desc',
    limit: 100,
  },
  'what the daily check found': {
    fields: ['@timestamp', 'event', 'accountId', 'keyId', 'problem', 'expectedUsd', 'foundUsd'],
    filterStatements: [
      'event in ["ledger_difference", "ledger_account_unverified", "ledger_verified"]',
    ],
    sort: '@timestamp desc',
    limit: 200,
  },
};

/** Saved queries of Logs Insights over every function's log. */
export function createQueries(watched: Watched, { name }: EnvironmentSettings): void {
  const functions = [...routeFunctions(watched), watched.api.sweep, watched.verify];
  const logGroups = functions.map(({ logGroup }) => logGroup);
  for (const [title, query] of Object.entries(QUERIES)) {
    new QueryDefinition(watched.stack, `query ${title}`.replaceAll(' ', '-'), {
      queryDefinitionName: `tollgate-${name}/${title}`,
      queryString: new QueryString(query),
      logGroups,
    });
  }
}
