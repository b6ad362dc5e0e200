import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Catalog } from '../shared/catalog/types.ts';
import { compileCatalog, revisionOf } from './compile.ts';
import { readSourceFiles } from './read-files.ts';

/** Compiles the project's own sources. Throws a CatalogSourceError where they have faults. */
export function buildCatalog(): Catalog {
  const sources = readSourceFiles();
  return compileCatalog(sources, revisionOf(sources));
}

/**
 * Compiles the project's own sources into one JSON file, whose folder is made where it is missing.
 * A reader sees the old file or the new one, never half of it.
 */
export async function writeCatalog(path: string): Promise<void> {
  const json = JSON.stringify(buildCatalog());
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, json);
  await rename(unfinished, path);
}
