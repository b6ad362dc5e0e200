import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** The two places of the edge's secret: one is sent, the other is free for the next value. */
export const EDGE_KEYS = ['first', 'second'] as const;
export type EdgeKey = (typeof EDGE_KEYS)[number];

/** What differs between the deployed environments. */
interface OwnSettings {
  /** What happens to tables and secrets when their stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
  /** Days that a table can be restored to any second of. */
  readonly recoveryDays: number;
  readonly logRetention: RetentionDays;
  /** Days that a weekly full export of the ledger is kept; the incremental ones are never deleted. */
  readonly fullExportDays: number;
  /** Megabytes; a POST route holds a whole body of up to 6 MB several times over. */
  readonly inferenceMemory: number;
  readonly documentMemory: number;
  /** Containers for large bodies, where there are any. */
  readonly containers: { readonly least: number; readonly most: number };
}

/** What an operator may set for one environment, by `-c name=value` or in `cdk.json`. */
interface ChosenSettings {
  /** Address of the Azure resource, `https://<resource>.openai.azure.com/openai/v1`; without it Azure serves nothing. */
  readonly azureUrl?: string;
  /** Who is told of alarms. */
  readonly alarmEmail?: string;
  /** Runs that share the accounts in the daily check of the ledger; one does for some 100,000. */
  readonly verifyParts: number;
  /** Own domain of the edge, with the certificate for it (in us-east-1). */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** Function URLs refuse what did not come through the edge. */
  readonly lockToEdge: boolean;
  /** Which value of its secret the edge sends. */
  readonly edgeKey: EdgeKey;
  /** A web application firewall before the edge, made in the region of all stacks: us-east-1. */
  readonly firewall: boolean;
  /** A web ACL that exists, for an edge whose other stacks are in another region. */
  readonly firewallArn?: string;
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
    fullExportDays: 30,
    inferenceMemory: 512,
    documentMemory: 256,
    containers: { least: 1, most: 2 },
  },
  staging: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: false,
    recoveryDays: 7,
    logRetention: RetentionDays.ONE_MONTH,
    fullExportDays: 90,
    inferenceMemory: 512,
    documentMemory: 256,
    containers: { least: 1, most: 2 },
  },
  prod: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    recoveryDays: 35,
    logRetention: RetentionDays.SIX_MONTHS,
    fullExportDays: 400,
    inferenceMemory: 512,
    documentMemory: 256,
    containers: { least: 2, most: 6 },
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
    verifyParts: readCount(context, 'verifyParts'),
    ...readDomain(context),
    lockToEdge: readFlag(context, 'lockToEdge'),
    edgeKey: readEdgeKey(context),
    firewall: readFlag(context, 'firewall'),
    ...readText(context, 'firewallArn'),
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

function readEdgeKey(context: Context): EdgeKey {
  const value = context('edgeKey') ?? EDGE_KEYS[0];
  const key = EDGE_KEYS.find((known) => known === value);
  if (key !== undefined) return key;
  throw new RangeError(`-c edgeKey=${String(value)} is none of ${EDGE_KEYS.join(', ')}`);
}

function readFlag(context: Context, name: string): boolean {
  const value = context(name);
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new RangeError(`-c ${name}=${String(value)} is neither true nor false`);
}

/** A whole number from 1 on; by default 1. */
function readCount(context: Context, name: string): number {
  const value = context(name) ?? 1;
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`-c ${name}=${String(value)} is no whole number above 0`);
}
