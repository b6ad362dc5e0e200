import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** What differs between the deployed environments. */
interface OwnSettings {
  /** What happens to tables and secrets when their stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
  /** Days that a table can be restored to any second of. */
  readonly recoveryDays: number;
  readonly logRetention: RetentionDays;
  /** Megabytes; a POST route holds a whole body of up to 6 MB several times over. */
  readonly inferenceMemory: number;
  readonly documentMemory: number;
}

/** What an operator may set for one environment, by `-c name=value` or in `cdk.json`. */
interface ChosenSettings {
  /** Address of the Azure resource, `https://<resource>.openai.azure.com/openai/v1`; without it Azure serves nothing. */
  readonly azureUrl?: string;
  /** Who is told of alarms. */
  readonly alarmEmail?: string;
  /** Own domain of the edge, with the certificate for it (in us-east-1). */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** Function URLs refuse what did not come through the edge. */
  readonly lockToEdge: boolean;
  /** A web application firewall before the edge. */
  readonly firewall: boolean;
  /** Bodies that a function cannot take go to containers behind the edge. */
  readonly largeBodies: boolean;
}

export interface EnvironmentSettings extends OwnSettings, ChosenSettings {
  readonly name: EnvironmentName;
}

const OWN_SETTINGS: Readonly<Record<EnvironmentName, OwnSettings>> = {
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    recoveryDays: 1,
    logRetention: RetentionDays.ONE_WEEK,
    inferenceMemory: 512,
    documentMemory: 256,
  },
  staging: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: false,
    recoveryDays: 7,
    logRetention: RetentionDays.ONE_MONTH,
    inferenceMemory: 512,
    documentMemory: 256,
  },
  prod: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    recoveryDays: 35,
    logRetention: RetentionDays.SIX_MONTHS,
    inferenceMemory: 512,
    documentMemory: 256,
  },
};

/** A value of the CDK context by its name. */
type Context = (name: string) => unknown;

/**
 * Settings of the environment that `-c env=...` names, and what else the context sets. Throws a
 * RangeError that names the setting at fault.
 */
export function readSettings(context: Context): EnvironmentSettings {
  const environment = context('env');
  const name = ENVIRONMENTS.find((known) => known === environment);
  if (name === undefined) {
    throw new RangeError(`-c env=${String(environment)} is none of ${ENVIRONMENTS.join(', ')}`);
  }
  return {
    name,
    ...OWN_SETTINGS[name],
    ...readText(context, 'azureUrl'),
    ...readText(context, 'alarmEmail'),
    ...readDomain(context),
    lockToEdge: readFlag(context, 'lockToEdge'),
    firewall: readFlag(context, 'firewall'),
    largeBodies: readFlag(context, 'largeBodies'),
  };
}

function readText<Name extends string>(context: Context, name: Name): { [N in Name]?: string } {
  const value = context(name);
  if (value === undefined) return {};
  if (typeof value !== 'string' || value === '') throw new RangeError(`-c ${name}= needs a value`);
  // TypeScript widens a computed key to `string`.
  return { [name]: value } as { [N in Name]: string };
}

function readDomain(context: Context): Pick<ChosenSettings, 'domain'> {
  const { domainName: name } = readText(context, 'domainName');
  const { certificateArn } = readText(context, 'certificateArn');
  if (name === undefined && certificateArn === undefined) return {};
  if (name === undefined || certificateArn === undefined) {
    throw new RangeError('-c domainName=... and -c certificateArn=... go together');
  }
  return { domain: { name, certificateArn } };
}

function readFlag(context: Context, name: string): boolean {
  const value = context(name);
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new RangeError(`-c ${name}=${String(value)} is neither true nor false`);
}
