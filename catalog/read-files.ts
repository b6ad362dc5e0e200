import { readdirSync, readFileSync } from 'node:fs';
import { CatalogSourceError } from './fault.ts';
import type { CatalogSources, SourceFile } from './read-source.ts';

const SOURCES = new URL('./sources/', import.meta.url);

/**
 * Reads every file of a sources folder (by default the project's own): whatever stands in its
 * `providers/` and `series/` is part of the catalog. Throws a CatalogSourceError for broken JSON.
 */
export function readSourceFiles(folder: URL = SOURCES): CatalogSources {
  return {
    gateway: readJson(folder, 'gateway.json'),
    providers: readFolder(folder, 'providers'),
    series: readFolder(folder, 'series'),
  };
}

function readFolder(folder: URL, name: string): SourceFile[] {
  const files = readdirSync(new URL(`${name}/`, folder)).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => readJson(folder, `${name}/${file}`));
}

function readJson(folder: URL, name: string): SourceFile {
  const file = `catalog/sources/${name}`;
  const text = readFileSync(new URL(name, folder), 'utf8');
  try {
    return { file, data: JSON.parse(text) };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : 'is not JSON';
    throw new CatalogSourceError([{ file, field: '(whole file)', problem }]);
  }
}
