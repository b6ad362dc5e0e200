import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '../../infra/operator/run-admin.ts';

const ROOT = join(import.meta.dirname, '../..');
/** `npm start`, or under `TEST_GATEWAY_ENTRY` another host that takes and prints the same. */
const ENTRY = process.env.TEST_GATEWAY_ENTRY ?? 'infra/local/start.ts';

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

type ReadyLine = Pick<RunningGateway, 'url' | 'apiKey' | 'databaseEndpoint'>;

export interface GatewayOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Kept when the gateway stops; a fresh one otherwise. */
  readonly dataFolder?: string;
}

/** Starts a gateway and waits until it is ready. */
export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'tollgate-'));
  const child = spawn(process.execPath, [join(ROOT, ENTRY), '--json'], {
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
  const { url, apiKey, databaseEndpoint } = await waitUntilReady(child, () => output);
  const environment = { DYNAMODB_ENDPOINT: databaseEndpoint, DATA_DIR: dataFolder };
  return {
    url,
    apiKey,
    databaseEndpoint,
    dataFolder,
    process: child,
    output: () => output,
    admin: (...words) => admin(words, environment),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGINT');
        await once(child, 'exit');
      }
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** The line with which it says where it is. */
async function waitUntilReady(child: ChildProcess, output: () => string): Promise<ReadyLine> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const line = /^\{.*"event":"ready".*\}$/m.exec(output())?.[0];
    if (line !== undefined) return JSON.parse(line);
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  throw new Error(`the gateway did not start:\n${output()}`);
}

/** In this process: a test makes many. */
async function admin(words: readonly string[], environment: Record<string, string>) {
  const { code, stdout, stderr } = await runAdmin(words, environment);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}
