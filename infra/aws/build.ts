import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { noWebStreams, requiredBuiltins, slimUndici } from './bundle-plugins.ts';

export const PROJECT_ROOT = join(import.meta.dirname, '../..');
const FUNCTIONS_FOLDER = join(PROJECT_ROOT, 'functions');

/** The folders of `functions/`, one a Lambda function. */
export const FUNCTION_NAMES: readonly string[] = readdirSync(FUNCTIONS_FOLDER).sort();

/**
 * Bundles every function into a folder of its own under `folder`: what Lambda unpacks to
 * `/var/task`, its handler `index.handler`. What a handler imports lazily is a chunk beside it,
 * which no cold start reads.
 */
export async function buildFunctions(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await Promise.all(FUNCTION_NAMES.map((name) => buildFunction(name, join(folder, name))));
}

/** Bundles one function, `chat-completions` for example, into `outFolder`. */
async function buildFunction(name: string, outFolder: string): Promise<void> {
  await build({
    entryPoints: { index: join(FUNCTIONS_FOLDER, name, 'handler.ts') },
    outdir: outFolder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // Read by a function whose NODE_OPTIONS have --enable-source-maps. That is for a fault's hour
    // alone: parsing the map takes a sixth of a cold start. A line needs no copy of the source.
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [noWebStreams, requiredBuiltins, slimUndici],
    // Some packages still call `require`, which an ES module does not have.
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
  });
}
