import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FUNCTION_NAMES } from '../../infra/aws/build.ts';
import { type DeployedGateway, startDeployedGateway } from './deployed-gateway.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-bundles-'));
let gateway: DeployedGateway;

beforeAll(async () => {
  gateway = await startDeployedGateway({
    environment: { DATA_DIR: dataFolder, DYNAMODB_PORT: '0' },
    environments: 1,
  });
});

afterAll(async () => {
  await gateway?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** What each function without a URL is sent, and the fault that its stand-ins leave it. */
const SCHEDULED: Readonly<Record<string, { event: object; fault?: RegExp }>> = {
  'sweep-holds': { event: {} },
  'verify-ledger': { event: {} },
  // The embedded database knows no exports: that it is asked for them is what can be seen here.
  'export-ledger': { event: {}, fault: /UnknownOperation/ },
};

const ROUTES = [
  ['GET', '/v1/models', 200],
  ['GET', '/v1/catalog', 200],
  ['POST', '/v1/chat/completions', 401],
  ['POST', '/v1/responses', 401],
  ['GET', '/', 404],
] as const;

test('every function of the source is deployed, and runs by a schedule or a path', () => {
  expect(gateway.functionNames()).toEqual(FUNCTION_NAMES);
  expect(FUNCTION_NAMES).toHaveLength(Object.keys(SCHEDULED).length + ROUTES.length);
});

test.each(Object.entries(SCHEDULED))('%s runs with its variables', async (name, expected) => {
  const fault = await gateway.run(name, expected.event);
  if (expected.fault) expect(`${fault?.errorType} ${fault?.errorMessage}`).toMatch(expected.fault);
  else expect(fault).toBeUndefined();
});

describe.each(ROUTES)('%s %s', (method, path, status) => {
  const ask = (init: RequestInit = {}) => fetch(gateway.url + path, { method, ...init });

  test('answers with its variables and its layer', async () => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(await response.json()).toBeInstanceOf(Object);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('empty bodies have their status and headers', async () => {
    const preflight = await ask({ method: 'OPTIONS' });
    expect(preflight.status).toBe(path === '/' ? 404 : 204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const head = await ask({ method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([404, '']);
    const etag = (await ask()).headers.get('etag');
    if (etag === null) return;
    const known = await ask({ headers: { 'if-none-match': etag } });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, '']);
  });
});
