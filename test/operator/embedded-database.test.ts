import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTables } from '../../infra/local/create-tables.ts';
import { startEmbeddedDatabase } from '../../infra/local/embedded-database.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';

const MODULE = fileURLToPath(new URL('../../infra/local/embedded-database.ts', import.meta.url));

test('keeps its data over a restart, and makes its tables however often they are asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-database-'));
  const key = { pk: 'one', sk: 'two' };
  const table = LOCAL_TABLES.ledger;
  for (const round of ['write', 'read']) {
    const database = await startEmbeddedDatabase({ port: 0, folder });
    const client = createDynamoDbClient({ endpoint: database.endpoint });
    await Promise.all([createTables(client, LOCAL_TABLES), createTables(client, LOCAL_TABLES)]);
    const send = createDynamoDbSend(client);
    const item = { ...key, amount: 2n ** 70n };
    if (round === 'write') await send({ operation: 'put', table, item, ifAbsent: true }, 1_000);
    const reply = await send({ operation: 'get', table, key }, 1_000);
    expect(reply).toMatchObject({ item });
    client.destroy();
    await database.stop();
  }
  await rm(folder, { recursive: true });
});

test('a port or a folder that is taken is one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-database-'));
  const database = await startEmbeddedDatabase({ port: 0, folder });
  await expect(startEmbeddedDatabase({ port: database.port })).rejects.toThrow(
    `Port ${database.port} is taken`,
  );
  await expect(startEmbeddedDatabase({ port: 0, folder })).rejects.toThrow('is in use');
  await database.stop();
  await rm(folder, { recursive: true });
});

test('dies with its parent, however that ends', async () => {
  const script = `
    import { startEmbeddedDatabase } from ${JSON.stringify(MODULE)};
    const database = await startEmbeddedDatabase({ port: 0 });
    console.log(database.endpoint);
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const endpoint = await new Promise<string>((resolve) => {
    parent.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
  expect(await answers(endpoint)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => answers(endpoint), { timeout: 5_000 }).toBe(false);
});

function answers(endpoint: string): Promise<boolean> {
  const script = `await fetch(${JSON.stringify(endpoint)})`;
  const words = ['--input-type=module', '-e', script];
  return new Promise((resolve) => execFile(process.execPath, words, (error) => resolve(!error)));
}
