import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Modules of Node.js by `require`: an `import` of one evaluates every export that it has, and among
 * those of `node:http` is WebSocket, which loads the whole of Node's own fetch.
 */
export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:|^[a-z_]+$/ }, ({ path, kind }) => {
      const imported = kind === 'import-statement' && isBuiltin(path);
      return imported ? { path, namespace: 'builtin' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

/** As `shared/upstream` uses it: an agent with connections of HTTP/1.1, and requests. */
const UNDICI = `
import Agent from 'undici/lib/dispatcher/agent.js';
import requestOf from 'undici/lib/api/api-request.js';
export { Agent };
export function request(url, { dispatcher, ...options }) {
  const { origin, pathname, search } = new URL(url);
  return requestOf.call(dispatcher, { ...options, origin, path: pathname + search });
}`;

/** HTTP/2, and the parsers for platforms without SIMD or with the experimental one switched on. */
const UNUSED_OF_UNDICI =
  /undici\/lib\/(?:dispatcher\/client-h2|llhttp\/llhttp-wasm|milo\/[\w-]+)\.js$/;

/**
 * The parts of undici that are used: its index also loads fetch, WebSocket, caches and mocks, and
 * its client loads `node:http2`, which together take longer than all the rest of a bundle.
 */
export const slimUndici: Plugin = {
  name: 'slim-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: 'slim-undici',
      pluginData: { resolveDir },
    }));
    onLoad({ filter: /.*/, namespace: 'slim-undici' }, ({ pluginData }) => ({
      contents: UNDICI,
      resolveDir: pluginData.resolveDir,
    }));
    onLoad({ filter: UNUSED_OF_UNDICI }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('left out of the bundle: ${basename(path)}'); };`,
    }));
  },
};

/** middy asks whether a body is a web stream, which ours never are, and would load them all for it. */
export const noWebStreams: Plugin = {
  name: 'no-web-streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:stream\/web$/ }, ({ path, importer }) =>
      importer.includes('@middy') ? { path, namespace: 'no-web-streams' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-web-streams' }, () => ({
      contents: 'export class ReadableStream {}',
    }));
  },
};
