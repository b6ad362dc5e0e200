import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DatabaseMessage } from './database-process.ts';

export interface EmbeddedDatabaseOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Where the data lives on; undefined: in memory. */
  readonly folder?: string;
}

export interface EmbeddedDatabase {
  readonly endpoint: string;
  readonly port: number;
  /** Resolves when the process has ended, asked or unasked. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL('./database-process.ts', import.meta.url));
const STOP_WITHIN_MS = 5_000;

/**
 * Starts the embedded DynamoDB (dynalite) in a process of its own and waits until it answers.
 * Throws an Error of one line: a port that is taken, a folder that another process uses.
 */
export async function startEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const { port, folder } = options;
  if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
  const args = [String(port), ...(folder === undefined ? [] : [folder])];
  const child = fork(ENTRY, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
  const exited = once(child, 'exit');
  const message = await Promise.race([firstMessage(child), exited.then(() => undefined)]);
  if (message?.kind !== 'ready') throw new Error(whyNot(message, options));
  return {
    endpoint: `http://127.0.0.1:${message.port}`,
    port: message.port,
    ended: exited.then(() => undefined),
    stop: () => stop(child, exited),
  };
}

async function firstMessage(child: ChildProcess): Promise<DatabaseMessage> {
  const [message] = await once(child, 'message');
  return message;
}

function whyNot(message: DatabaseMessage | undefined, options: EmbeddedDatabaseOptions): string {
  if (message?.kind !== 'failed') return 'The embedded database ended before it was ready.';
  if (message.code === 'EADDRINUSE') {
    return `Port ${options.port} is taken: set DYNAMODB_PORT to a free one, or DYNAMODB_ENDPOINT to use a database that runs already.`;
  }
  if (/lock|LEVEL_DATABASE|closed/i.test(`${message.code} ${message.message}`)) {
    return `The data folder ${options.folder} is in use by another process: stop it, or set DATA_DIR to another folder.`;
  }
  return `The embedded database does not start: ${message.message}`;
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  if (child.connected) child.disconnect();
  await exited;
  clearTimeout(late);
}
