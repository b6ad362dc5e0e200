import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchProcess, startProcess } from './processes.ts';

const run = promisify(execFile);

const VERSION = '1.15.2';
const CACHE = join(import.meta.dirname, '../../.cache');
const FOLDER = join(CACHE, `portkey-${VERSION}`);
const SERVER = join(FOLDER, 'node_modules/@portkey-ai/gateway/build/start-server.js');
const FETCH_WITHIN_MS = 180_000;

export const PORTKEY = `@portkey-ai/gateway@${VERSION}`;

/** Fetches Portkey's gateway into the ignored cache unless it is there. Throws an Error when offline. */
async function fetchPortkey(): Promise<string> {
  if (existsSync(SERVER)) return SERVER;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'portkey-'));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}');
    const words = ['install', PORTKEY, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    await run('npm', words, { cwd: draft, timeout: FETCH_WITHIN_MS });
    await rename(draft, FOLDER).catch(orThere);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return SERVER;
}

/** Another process may have put it there meanwhile. */
function orThere(error: unknown): void {
  if (!existsSync(SERVER)) throw error;
}

/** Starts Portkey's gateway; `ready` is its address. Throws an Error where it cannot be fetched. */
export async function startPortkey(): Promise<BenchProcess> {
  const server = await fetchPortkey();
  const port = await freePort();
  return startProcess(new URL('./portkey-process.ts', import.meta.url), {
    words: [server, String(port)],
    environment: { NODE_ENV: 'production' },
  });
}

/** Portkey takes no port 0: asks the system for a free one and gives it up again. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
