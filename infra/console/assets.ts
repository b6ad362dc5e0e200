import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A file of the console or the reference, with its content type. */
export interface Asset {
  readonly type: string;
  readonly content: string | Uint8Array;
}

interface Assets {
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => Promise<Asset>;
}

const PAGE = join(import.meta.dirname, 'page');
const ROOT = join(import.meta.dirname, '../..');
const SWAGGER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** A file as it stands. */
function file(path: string, type: string): () => Promise<Asset> {
  return async () => ({ type, content: await readFile(path) });
}

/** The files of the API reference, by their names beside one another: all that any host needs. */
export const REFERENCE_FILES: Readonly<Record<string, () => Promise<Asset>>> = {
  'index.html': file(join(PAGE, 'reference.html'), HTML),
  'reference.css': file(join(PAGE, 'reference.css'), CSS),
  'reference.js': file(join(PAGE, 'reference.js'), SCRIPT),
  'openapi.json': file(join(ROOT, 'openapi.json'), 'application/json'),
  'swagger-ui.css': file(join(SWAGGER, 'swagger-ui.css'), CSS),
  'swagger-ui-bundle.js': file(join(SWAGGER, 'swagger-ui-bundle.js'), SCRIPT),
};

/** What the console is made of, by path; each part is read, or bundled, when it is first asked for. */
export function loadAssets(): Assets {
  const loaders = new Map<string, () => Promise<Asset>>([
    ['/', file(join(PAGE, 'index.html'), HTML)],
    ['/console/console.css', file(join(PAGE, 'console.css'), CSS)],
    ['/console/console.js', bundleScript],
    ['/reference/', file(join(PAGE, 'reference.html'), HTML)],
  ]);
  for (const [name, load] of Object.entries(REFERENCE_FILES)) {
    loaders.set(`/reference/${name}`, load);
  }
  const loaded = new Map<string, Promise<Asset>>();
  return {
    has: (path) => loaders.has(path),
    read: (path) => {
      const asset = loaded.get(path) ?? loaders.get(path)?.();
      if (asset === undefined) throw new Error(`the console has no ${path}`);
      loaded.set(path, asset);
      // What failed once is tried again.
      asset.catch(() => loaded.delete(path));
      return asset;
    },
  };
}

/** The page's script with its charts, in one file. */
async function bundleScript(): Promise<Asset> {
  // Only a page that is opened pays for the bundler.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, 'console.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    write: false,
    logLevel: 'silent',
  });
  return { type: SCRIPT, content: outputFiles[0]?.contents ?? '' };
}
