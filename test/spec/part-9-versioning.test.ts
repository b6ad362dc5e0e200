import { expect, test } from 'vitest';
import { errorShape, PATHS, requestOf, useSpecGateway } from '../support/spec-gateway.ts';

const spec = useSpecGateway();

test('9 version: every route has the prefix /v1, and no other', async () => {
  for (const path of Object.values(PATHS)) {
    expect(path).toMatch(/^\/v1\//);
    for (const other of [path.slice(3), path.replace('/v1', '/v2'), path.replace('/v1', '/V1')]) {
      const { status, body } = await spec.post(other, requestOf('chat'));
      expect([other, status]).toEqual([other, 404]);
      expect(body).toEqual(errorShape('invalid_request_error'));
    }
  }
  for (const path of ['/catalog', '/models', '/v2/catalog', '/v2/models']) {
    expect((await spec.post(path, undefined, { method: 'GET' })).status).toBe(404);
  }
});

test('9 version: the catalog carries its format', async () => {
  const { body } = await spec.post('/v1/catalog', undefined, { method: 'GET' });
  expect(body.version).toBe('gateway.catalog.v1');
});
