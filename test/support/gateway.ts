import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');

/** A gateway as `npm start` runs it, in a process of its own, on ports that were free. */
export interface RunningGateway {
  readonly url: string;
  readonly apiKey: string;
  readonly databaseEndpoint: string;
  readonly dataFolder: string;
  readonly process: ChildProcess;
  /** Everything printed so far. */
  readonly output: () => string;
  /** Runs the admin command against this gateway's database; returns its JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: each command answers in another shape
  readonly admin: (...words: string[]) => Promise<any>;
  /** Ends it as Ctrl-C would; the data folder goes with it unless it was given. */
  readonly stop: () => Promise<void>;
}

export interface GatewayOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Kept when the gateway stops; a fresh one otherwise. */
  readonly dataFolder?: string;
}

/** Starts a gateway and waits until it is ready. */
export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'tollgate-'));
  const child = spawn(process.execPath, [join(ROOT, 'infra/local/start.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      DYNAMODB_PORT: '0',
      DATA_DIR: dataFolder,
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  const ready = await waitForLines(child, () => output);
  const environment = { DYNAMODB_ENDPOINT: ready.databaseEndpoint, DATA_DIR: dataFolder };
  return {
    ...ready,
    dataFolder,
    process: child,
    output: () => output,
    admin: (...words) => runAdmin(words, environment),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGINT');
        await once(child, 'exit');
      }
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function waitForLines(child: ChildProcess, output: () => string) {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const url = /^export OPENAI_BASE_URL=(.+)\/v1$/m.exec(output())?.[1];
    const apiKey = /^export OPENAI_API_KEY=(\S+)$/m.exec(output())?.[1];
    const databaseEndpoint = /database: (\S+)/.exec(output())?.[1];
    if (url && apiKey && databaseEndpoint) return { url, apiKey, databaseEndpoint };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  throw new Error(`the gateway did not start:\n${output()}`);
}

async function runAdmin(words: readonly string[], environment: Record<string, string>) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'infra/operator/admin.ts'), ...words],
    { cwd: ROOT, env: { PATH: process.env.PATH ?? '', ...environment } },
  );
  return JSON.parse(stdout);
}
