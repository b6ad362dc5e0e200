import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../infra/aws/build.ts';

/** Environment of the assembly that the tests run. */
export const ASSEMBLY_ENVIRONMENT = 'dev';
/** What `cdk synth` makes of it: templates and bundles, as `cdk deploy` would upload them. */
const ASSEMBLY_FOLDER = join(PROJECT_ROOT, '.cache', 'runtime', 'cdk.out');

/** A function as its template describes it. */
export interface DeployedFunction {
  /** Folder name under `functions/`. */
  readonly name: string;
  /** What stands at `/var/task`. */
  readonly bundleFolder: string;
  readonly timeoutMs: number;
  /** Unpacked over each other at `/opt`. */
  readonly layerFolders: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** One resource of a template. */
export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of many resources are read
  readonly Properties: any;
}

/**
 * The value that CloudFormation would put in place of a reference to a resource, or to one of its
 * attributes. Throws where nothing stands in for it.
 */
export type StandIn = (resource: TemplateResource, attribute: string | undefined) => string;

interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>
  >;
}

/** Runs the CDK app once: bundles, layer and templates into `ASSEMBLY_FOLDER`. */
export async function synthesizeAssembly(): Promise<void> {
  await rm(ASSEMBLY_FOLDER, { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [join(PROJECT_ROOT, 'infra/aws/app.ts')], {
    cwd: PROJECT_ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      CDK_OUTDIR: ASSEMBLY_FOLDER,
      CDK_CONTEXT_JSON: JSON.stringify({ env: ASSEMBLY_ENVIRONMENT }),
    },
  });
}

/** Every function of the assembly, its variables with stand-ins in place of references. */
export function readDeployedFunctions(standIn: StandIn): DeployedFunction[] {
  const templates = readTemplates();
  return templates.flatMap((template) =>
    Object.values(template.Resources ?? {}).flatMap((resource) => {
      const name = nameOf(resource);
      return name === undefined
        ? []
        : [readFunction({ templates, template, standIn }, resource, name)];
    }),
  );
}

interface Reading {
  readonly templates: readonly Template[];
  readonly template: Template;
  readonly standIn: StandIn;
}

function readTemplates(): Template[] {
  const files = existsSync(ASSEMBLY_FOLDER) ? readdirSync(ASSEMBLY_FOLDER) : [];
  return files
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => JSON.parse(readFileSync(join(ASSEMBLY_FOLDER, file), 'utf8')));
}

/** Functions of ours have names of ours; the CDK's own helpers have none. */
function nameOf({ Type, Properties }: TemplateResource): string | undefined {
  if (Type !== 'AWS::Lambda::Function') return undefined;
  const prefix = `tollgate-${ASSEMBLY_ENVIRONMENT}-`;
  const name: unknown = Properties.FunctionName;
  if (typeof name !== 'string' || !name.startsWith(prefix)) return undefined;
  return name.slice(prefix.length);
}

function readFunction(
  reading: Reading,
  { Properties }: TemplateResource,
  name: string,
): DeployedFunction {
  const variables: Record<string, unknown> = Properties.Environment?.Variables ?? {};
  const environment: Record<string, string> = {};
  for (const [variable, value] of Object.entries(variables)) {
    environment[variable] = resolve(reading, value);
  }
  const layers: { readonly Ref: string }[] = Properties.Layers ?? [];
  return {
    name,
    bundleFolder: assetFolder(Properties.Code),
    timeoutMs: Properties.Timeout * 1_000,
    layerFolders: layers.map(({ Ref }) =>
      assetFolder(resourceOf(reading.template, Ref).Properties.Content),
    ),
    environment,
  };
}

function assetFolder({ S3Key }: { readonly S3Key: string }): string {
  return join(ASSEMBLY_FOLDER, `asset.${S3Key.replace('.zip', '')}`);
}

function resourceOf(template: Template, id: string): TemplateResource {
  const resource = template.Resources?.[id];
  if (!resource) throw new Error(`the template has no resource ${id}`);
  return resource;
}

/** The value of a template's expression, as far as our variables use expressions. */
function resolve(reading: Reading, value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, argument] = []] = Object.entries(value ?? {});
  if (name === 'Ref') return reading.standIn(resourceOf(reading.template, argument), undefined);
  if (name === 'Fn::GetAtt') {
    const [id, attribute] = argument;
    return reading.standIn(resourceOf(reading.template, id), attribute);
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = argument;
    return parts.map((part: unknown) => resolve(reading, part)).join(separator);
  }
  if (name === 'Fn::ImportValue') {
    for (const template of reading.templates) {
      const outputs = Object.values(template.Outputs ?? {});
      const output = outputs.find(({ Export }) => Export?.Name === argument);
      if (output) return resolve({ ...reading, template }, output.Value);
    }
  }
  throw new Error(`no value is known for ${JSON.stringify(value)}`);
}
