import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDynamoDbClient, createDynamoDbSend } from '../../../shared/ledger/dynamodb.ts';
import { createHttpHandler } from '../../../shared/ledger/sdk-parts.ts';
import type { Send, StoreCommand } from '../../../shared/ledger/store.ts';
import { StoreFailure } from '../../../shared/ledger/store.ts';
import { eventually } from '../../support/eventually.ts';

interface Call {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly response: ServerResponse;
}

const PUT: StoreCommand = {
  operation: 'put',
  table: 'gateway',
  item: { pk: 'a', sk: 'b', amount: 9_007_199_254_740_993n },
  ifAbsent: true,
};
const GET: StoreCommand = { operation: 'get', table: 'gateway', key: { pk: 'a', sk: 'b' } };
const CONNECTIONS = 128;
/** Longer than anything here takes. */
const AMPLE_MS = 10_000;

let calls: Call[];
let answer: (call: Call) => void;
let endpoint: string;
let send: Send;

beforeEach(async () => {
  calls = [];
  const server = createServer(async (request, response) => {
    request.setEncoding('utf8');
    const call = { request, body: (await request.toArray()).join(''), response };
    calls.push(call);
    answer(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address, for the server listens on a port.
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createDynamoDbClient({ endpoint });
  send = createDynamoDbSend(client);
  return () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  };
});

function reply(status: number, body: object | string): void {
  answer = ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const error = (name: string) => ({
  __type: `com.amazonaws.dynamodb.v20120810#${name}`,
  message: 'x',
});

/** What became of the command: `no` or `unknown` where it failed. */
async function outcomeOf(command: StoreCommand, timeoutMs = AMPLE_MS): Promise<string> {
  try {
    return (await send(command, timeoutMs)).outcome;
  } catch (failure) {
    if (!(failure instanceof StoreFailure)) throw failure;
    return failure.applied;
  }
}

/** The signature that the request should bear, from what arrived, by the rules of Signature Version 4. */
function signatureOf({ request, body }: Call): string {
  const { headers, method, url } = request;
  const [, scope = '', names = ''] =
    /Credential=local\/(\S+), SignedHeaders=(\S+),/.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  const canonical = [method, url, '', signed.join(''), names, digest(body)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), 'AWS4local');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest(canonical)].join('\n');
  return hmac(key, text).toString('hex');
}

function hmac(secret: string | Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

describe('a command', () => {
  test('arrives as it was signed', async () => {
    reply(200, {});
    await expect(send(PUT, AMPLE_MS)).resolves.toEqual({ outcome: 'done' });
    const [call] = calls;
    if (!call) throw new Error('nothing arrived');
    expect(call.request.headers['x-amz-target']).toBe('DynamoDB_20120810.PutItem');
    expect(JSON.parse(call.body).Item.amount).toEqual({ N: '9007199254740993' });
    const names = /SignedHeaders=(\S+),/.exec(call.request.headers.authorization ?? '')?.[1];
    expect(names?.split(';')).toEqual(
      expect.arrayContaining(['host', 'x-amz-date', 'x-amz-target']),
    );
    expect(call.request.headers.authorization).toContain(`Signature=${signatureOf(call)}`);
  });

  test('is answered whole, in however many pieces', async () => {
    const item = { pk: { S: 'ä'.repeat(50_000) }, amount: { N: '9007199254740993' } };
    answer = async ({ response }) => {
      const bytes = Buffer.from(JSON.stringify({ Item: item }));
      response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] });
      for (let at = 0; at < bytes.length; at += 33_333) {
        response.write(bytes.subarray(at, at + 33_333));
        await setImmediate();
      }
      response.end();
    };
    await expect(send(GET, AMPLE_MS)).resolves.toEqual({
      outcome: 'done',
      item: { pk: 'ä'.repeat(50_000), amount: 9_007_199_254_740_993n },
    });
  });

  test('whose condition failed is refused, with what stands there', async () => {
    const item = { pk: { S: 'a' }, open: { BOOL: true } };
    reply(400, { ...error('ConditionalCheckFailedException'), Item: item });
    const refused = { outcome: 'refused', item: { pk: 'a', open: true } };
    await expect(send(PUT, AMPLE_MS)).resolves.toEqual(refused);
    expect(calls).toHaveLength(1);
  });

  test.each<[number, object | string, string]>([
    [400, error('ThrottlingException'), 'no'],
    [400, error('ProvisionedThroughputExceededException'), 'no'],
    [400, error('RequestLimitExceeded'), 'no'],
    [400, error('UnrecognizedClientException'), 'no'],
    [400, error('TransactionConflictException'), 'unknown'],
    [500, error('InternalServerError'), 'unknown'],
    [503, '<html>Service Unavailable</html>', 'unknown'],
    [200, '{"Item":', 'unknown'],
  ])('answered with %i %o is applied: %s, and sent once', async (status, body, applied) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    reply(status, body);
    await expect(outcomeOf(GET)).resolves.toBe(applied);
    expect(calls).toHaveLength(1);
  });
});

test('a source of credentials asks by the same handler, its query as it gave it', async () => {
  const handler = createHttpHandler();
  reply(200, {});
  const { hostname, port } = new URL(endpoint);
  const request = { protocol: 'http:', hostname, port: Number(port), path: '/federation' };
  const query = { role_name: 'admin & more', account: ['1', '2'] };
  const { response } = await handler.handle({ ...request, query, method: 'GET', headers: {} });
  expect(response.statusCode).toBe(200);
  const [call] = calls;
  expect(call?.request.url).toBe('/federation?role_name=admin%20%26%20more&account=1&account=2');
  handler.destroy();
});

describe('a write whose connection breaks is not known to be applied, and is sent once', () => {
  test.each<[string, (call: Call) => void]>([
    ['before its answer', ({ request }) => request.socket.resetAndDestroy()],
    ['by an orderly end', ({ request }) => request.socket.end()],
    ['within the head', ({ request }) => request.socket.end('HTTP/1.1 200 OK\r\nContent-')],
    [
      'within the body',
      ({ request }) => request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}'),
    ],
    [
      'within a chunk',
      ({ request }) =>
        request.socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}'),
    ],
    ['by what is not HTTP', ({ request }) => request.socket.end('220 mail.example.com ESMTP\r\n')],
  ])('%s', async (_name, behave) => {
    answer = behave;
    await expect(outcomeOf(PUT)).resolves.toBe('unknown');
    reply(200, {});
    await expect(outcomeOf(GET)).resolves.toBe('done');
    expect(calls).toHaveLength(2);
  });

  test('for nobody listens', async () => {
    const client = createDynamoDbClient({ endpoint: 'http://127.0.0.1:1' });
    send = createDynamoDbSend(client);
    await expect(outcomeOf(PUT)).resolves.toBe('unknown');
    client.destroy();
  });
});

describe('a command that is not answered in time', () => {
  test.each<[string, (call: Call) => void]>([
    ['at all', () => undefined],
    [
      'beyond the head',
      ({ response }) => response.writeHead(200, { 'content-length': 2 }).flushHeaders(),
    ],
    [
      'to the last byte',
      ({ response }) => response.writeHead(200, { 'content-length': 2 }).write('{'),
    ],
  ])('%s fails, and its connection is given up', async (_name, behave) => {
    answer = behave;
    await expect(outcomeOf(PUT, 100)).resolves.toBe('unknown');
    const [call] = calls;
    await eventually(async () => expect(call?.request.socket.destroyed).toBe(true));
    reply(200, {});
    await expect(outcomeOf(GET)).resolves.toBe('done');
    expect(calls).toHaveLength(2);
  });

  test('and never had a connection is not sent later', async () => {
    answer = () => undefined;
    const occupying = Array.from({ length: CONNECTIONS }, () => outcomeOf(GET));
    await eventually(async () => expect(calls).toHaveLength(CONNECTIONS));
    await expect(outcomeOf(PUT, 100)).resolves.toBe('unknown');
    reply(200, {});
    for (const call of calls.slice()) answer(call);
    await Promise.all(occupying);
    await expect(outcomeOf(GET)).resolves.toBe('done');
    const targets = calls.map(({ request }) => request.headers['x-amz-target']);
    expect(targets).not.toContain('DynamoDB_20120810.PutItem');
  });
});
