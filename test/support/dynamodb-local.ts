import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '../../infra/local/listen.ts';
import { fetchDynamoDbLocal } from '../../scripts/fetch-dynamodb-local.ts';

const OLDEST_JAVA = 17;
const START_WITHIN_MS = 20_000;

export interface DynamoDbLocal {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The real DynamoDB Local in memory on a free port; or why this machine cannot run it. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal | { readonly missing: string }> {
  const java = await javaVersion();
  if (java < OLDEST_JAVA) {
    return { missing: java === 0 ? 'there is no Java here' : `Java ${java} is older than 17` };
  }
  const folder = await fetchDynamoDbLocal().catch((error: unknown) => ({ error }));
  if (typeof folder !== 'string')
    return { missing: `the package was not fetched: ${folder.error}` };
  const port = await freePort();
  const child = spawn(
    'java',
    [
      `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(folder, 'DynamoDBLocal.jar'),
      '-inMemory',
      '-port',
      String(port),
    ],
    // It writes a file where it stands.
    { stdio: 'ignore', cwd: folder },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await untilAnswering(endpoint, child);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { endpoint, stop: () => stop(child) };
}

/** The major version of the installed Java, or 0. */
async function javaVersion(): Promise<number> {
  try {
    const { stderr } = await promisify(execFile)('java', ['-version']);
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}

async function untilAnswering(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`DynamoDB Local does not answer (exit code ${child.exitCode})`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
