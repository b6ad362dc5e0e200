import { expect, test } from 'vitest';
import { compileCatalog } from '../../catalog/compile.ts';
import { CatalogSourceError } from '../../catalog/fault.ts';
import { readSourceFiles } from '../../catalog/read-files.ts';
import { buildCatalog } from '../../catalog/write.ts';

/** Faults of the project's sources with the value at `path` of one file replaced (undefined: removed). */
function faultsWith(file: string, path: readonly (string | number)[], value: unknown): string[] {
  const sources = structuredClone(readSourceFiles());
  const source = [sources.gateway, ...sources.providers, ...sources.series].find((candidate) =>
    candidate.file.endsWith(file),
  );
  // Walks plain JSON by a path that the test knows to exist.
  let at = source?.data as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  try {
    compileCatalog(sources, '2026-01-01T00:00:00.000Z');
  } catch (error) {
    if (error instanceof CatalogSourceError) return [...error.lines];
    throw error;
  }
  return [];
}

const LUNA = ['models', 0] as const;

test.each([
  [
    'unknown provider',
    'gpt-5.json',
    ['models', 0, 'offers', 0, 'provider'],
    'nobody',
    'series/gpt-5.json: models[0].offers[0].provider: no provider "nobody"',
  ],
  [
    'unknown variant',
    'gpt-5.json',
    ['models', 0, 'offers', 0, 'variants', 0],
    'bulk',
    'models[0].offers[0].variants: provider openai has no variant "bulk"',
  ],
  [
    'API that the provider has not',
    'gpt-5.json',
    ['models', 0, 'offers', 0, 'apis', 0],
    'messages',
    'models[0].offers[0].apis[0]: provider openai has no endpoint for messages',
  ],
  [
    'missing price of a variant',
    'gpt-5.6.json',
    [...LUNA, 'prices', 'flex'],
    undefined,
    'series/gpt-5.6.json: models[0].prices.flex: missing price',
  ],
  [
    'missing output price',
    'gpt-5.6.json',
    [...LUNA, 'prices', 'flex', 'output'],
    undefined,
    'series/gpt-5.6.json: models[0].prices.flex.output: ',
  ],
  [
    'missing cache write price',
    'claude-fable.json',
    ['models', 0, 'prices', 'us', 'cacheWrite1h'],
    undefined,
    'models[0].prices.us.cacheWrite1h: missing price',
  ],
  [
    'missing long-context price',
    'gpt-5.6.json',
    [...LUNA, 'prices', 'flex', 'output'],
    '0.6',
    'models[0].prices.flex.output: missing price over 272,000 tokens',
  ],
  [
    'missing web search price',
    'providers/anthropic.json',
    ['webSearchCalls', 'messages'],
    undefined,
    'providers/anthropic.json: webSearchCalls.messages.anthropic_web_search_calls: missing price',
  ],
  [
    'missing search model price',
    'gpt-5.json',
    ['models', 1, 'callPrices'],
    undefined,
    'models[1].callPrices: missing price',
  ],
  [
    'price that is no decimal',
    'gpt-5.6.json',
    [...LUNA, 'prices', 'priority', 'input'],
    '0,4',
    'models[0].prices.priority.input: ',
  ],
  [
    'negative price',
    'gpt-5.6.json',
    [...LUNA, 'prices', 'priority', 'input'],
    '-1',
    'models[0].prices.priority.input: ',
  ],
  [
    'price of a variant that nobody offers',
    'gpt-5.json',
    ['models', 0, 'offers', 0, 'variants'],
    ['default'],
    'models[0].prices.flex: no offer has',
  ],
  [
    'mistyped field',
    'gpt-5.json',
    ['models', 0, 'context_window'],
    1,
    'models[0].context_window: ',
  ],
  [
    'wrong type in the defaults',
    'gpt-5.6.json',
    ['defaults', 'maxOutput'],
    '128000',
    'series/gpt-5.6.json: defaults.maxOutput: ',
  ],
  [
    'model ID taken twice',
    'gpt-5.6.json',
    ['models', 1, 'id'],
    'gpt-5.6-luna',
    'models[1].id: "gpt-5.6-luna" is the ID of',
  ],
  [
    'alias of a deployment that is none',
    'gpt-5.6.json',
    [...LUNA, 'deploymentAliases', 'openai-x'],
    ['x'],
    'models[0].deploymentAliases.openai-x: ',
  ],
  [
    'name that ends in a marker',
    'gpt-5.6.json',
    [...LUNA, 'aliases'],
    ['gpt-luna-flex'],
    'models[0].aliases: "gpt-luna-flex" ends in a slug marker',
  ],
  [
    'Anthropic facts missing',
    'claude-fable.json',
    ['models', 0, 'anthropic'],
    undefined,
    'models[0].anthropic: missing',
  ],
  [
    'budget above the output',
    'claude-opus.json',
    ['models', 0, 'reasoning', 'budget', 'maximum'],
    64000,
    'models[0].reasoning.budget: ',
  ],
  [
    'output above the window',
    'gpt-5.json',
    ['models', 0, 'contextWindow'],
    1000,
    'models[0].maxOutput: ',
  ],
  [
    'efforts without reasoning',
    'gpt-5.json',
    ['models', 0, 'reasoning', 'availability'],
    'unsupported',
    'models[0].reasoning.availability: ',
  ],
  [
    'unknown provider endpoint',
    'gateway.json',
    ['endpoints', 0, 'providerEndpoints', 0],
    'nobody',
    'gateway.json: endpoints[0].providerEndpoints[0]: no provider endpoint "nobody"',
  ],
  ['missing route', 'gateway.json', ['endpoints', 1], undefined, 'gateway.json: endpoints'],
  [
    'provider named twice',
    'providers/azure.json',
    ['slug'],
    'openai',
    'providers/azure.json: id: ',
  ],
] as const)('%s is one line with file and field', (_name, file, path, value, expected) => {
  const lines = faultsWith(file, path, value);

  expect(lines.join('\n')).toContain(expected);
  for (const line of lines) expect(line).toMatch(/^catalog\/sources\/\S+\.json: \S.*: \S/);
});

test('a slug claimed twice on one endpoint names both deployments and their files', () => {
  const lines = faultsWith('gpt-5.json', ['models', 0, 'aliases'], ['gpt-5.6']);

  expect(lines).toContainEqual(
    expect.stringMatching(
      /slug "gpt-5\.6" on openai-chat-completions is claimed by \S+ and by \S+ \(catalog\/sources\/series\/gpt-5/,
    ),
  );
  expect(lines.join('\n')).toMatch(/openai-gpt-5\.6-sol\b/);
  expect(lines.join('\n')).toMatch(/openai-gpt-5-nano-2025-08-07\b/);
});

test('the same sources compile to the same bytes', () => {
  expect(JSON.stringify(buildCatalog())).toBe(JSON.stringify(buildCatalog()));
});
