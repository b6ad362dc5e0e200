import type { z } from 'zod';
import { isJsonObject } from '../shared/api/json.ts';
import type { ReportFault } from './fault.ts';
import {
  type GatewaySource,
  gatewaySchema,
  type ModelSource,
  modelSchema,
  type ProviderSource,
  providerSchema,
  seriesSchema,
} from './source-schema.ts';

/** One source file, parsed as JSON and no further. */
export interface SourceFile {
  /** Path shown in faults. */
  readonly file: string;
  readonly data: unknown;
}

export interface CatalogSources {
  readonly gateway: SourceFile;
  readonly providers: readonly SourceFile[];
  readonly series: readonly SourceFile[];
}

/** Where a model stands, for faults. */
export interface ModelEntry {
  readonly file: string;
  /** `models[2]` */
  readonly field: string;
  readonly series: string;
  readonly author: string;
  readonly model: ModelSource;
}

export interface ProviderEntry {
  readonly file: string;
  readonly provider: ProviderSource;
}

/** The sources in their schemas' shapes; what has another shape is left out and is a fault. */
export interface ReadSources {
  readonly gateway: GatewaySource | undefined;
  readonly providers: readonly ProviderEntry[];
  readonly models: readonly ModelEntry[];
}

/** Reads every source by its schema. Each of its issues is reported as a fault; nothing is thrown. */
export function readSources(sources: CatalogSources, report: ReportFault): ReadSources {
  return {
    gateway: readFile(gatewaySchema, sources.gateway, report),
    providers: sources.providers.flatMap((source) => {
      const provider = readFile(providerSchema, source, report);
      return provider ? [{ file: source.file, provider }] : [];
    }),
    models: sources.series.flatMap((source) => readSeries(source, report)),
  };
}

function readFile<Schema extends z.ZodType>(
  schema: Schema,
  { file, data }: SourceFile,
  report: ReportFault,
): z.output<Schema> | undefined {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    report({ file, field: fieldOf(issue), problem: issue.message });
  }
  return undefined;
}

function readSeries(source: SourceFile, report: ReportFault): ModelEntry[] {
  const content = readFile(seriesSchema, source, report);
  if (!content) return [];
  const { series, author, defaults } = content;
  const { file } = source;
  return content.models.flatMap((own, index) => {
    const field = `models[${index}]`;
    const result = modelSchema.safeParse(withDefaults(defaults, own));
    if (result.success) return [{ file, field, series, author, model: result.data }];
    for (const issue of result.error.issues) {
      const at = fieldOf(issue);
      const top = at.split(/[.[]/, 1)[0] ?? '';
      const inherited = top in defaults && !(top in own);
      report({ file, field: `${inherited ? 'defaults' : field}.${at}`, problem: issue.message });
    }
    return [];
  });
}

/** A model's own fields stand over its series' defaults; of the Anthropic facts, each one for itself. */
function withDefaults(
  defaults: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...defaults, ...own };
  if (isJsonObject(defaults.anthropic) && isJsonObject(own.anthropic)) {
    merged.anthropic = { ...defaults.anthropic, ...own.anthropic };
  }
  return merged;
}

function fieldOf(issue: z.core.$ZodIssue): string {
  const path =
    issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const field = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return field.replace(/^\./, '') || '(whole file)';
}
