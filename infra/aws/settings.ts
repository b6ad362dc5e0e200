import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** What differs between the deployed environments. */
export interface EnvironmentSettings {
  readonly name: EnvironmentName;
  /** What happens to tables and secrets when their stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
  /** Days that a table can be restored to any second of. */
  readonly recoveryDays: number;
  readonly logRetention: RetentionDays;
  /** Megabytes; a POST route holds a whole body of up to 6 MB several times over. */
  readonly inferenceMemory: number;
  readonly documentMemory: number;
  /** Address of the Azure resource, `https://<resource>.openai.azure.com/openai/v1`. */
  readonly azureUrl: string;
}

const SETTINGS: Readonly<Record<EnvironmentName, EnvironmentSettings>> = {
  dev: {
    name: 'dev',
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    recoveryDays: 1,
    logRetention: RetentionDays.ONE_WEEK,
    inferenceMemory: 512,
    documentMemory: 256,
    azureUrl: 'https://tollgate-dev.openai.azure.com/openai/v1',
  },
  staging: {
    name: 'staging',
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: false,
    recoveryDays: 7,
    logRetention: RetentionDays.ONE_MONTH,
    inferenceMemory: 512,
    documentMemory: 256,
    azureUrl: 'https://tollgate-staging.openai.azure.com/openai/v1',
  },
  prod: {
    name: 'prod',
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    recoveryDays: 35,
    logRetention: RetentionDays.SIX_MONTHS,
    inferenceMemory: 512,
    documentMemory: 256,
    azureUrl: 'https://tollgate-prod.openai.azure.com/openai/v1',
  },
};

/**
 * Settings of the environment that `-c env=...` names; `-c azureUrl=...` replaces its Azure
 * address. Throws a RangeError for any other environment.
 */
export function readSettings(environment: unknown, azureUrl?: unknown): EnvironmentSettings {
  const name = ENVIRONMENTS.find((known) => known === environment);
  if (name === undefined) {
    throw new RangeError(`-c env=${String(environment)} is none of ${ENVIRONMENTS.join(', ')}`);
  }
  return typeof azureUrl === 'string' ? { ...SETTINGS[name], azureUrl } : SETTINGS[name];
}
