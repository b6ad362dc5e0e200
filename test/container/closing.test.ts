import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import {
  type FunctionUrlServer,
  startFunctionUrlServer,
} from '../../infra/local/function-url-server.ts';
import type { StreamingHandler } from '../../infra/local/lambda-globals.ts';
import { createOpenableGate } from '../support/gate.ts';

const sockets: Socket[] = [];
const agent = new Agent({ keepAlive: true });
let server: FunctionUrlServer;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  agent.destroy();
  await server.close();
});

async function serve(handler: StreamingHandler): Promise<void> {
  server = await startFunctionUrlServer({
    host: '127.0.0.1',
    port: 0,
    handlerFor: () => handler,
    onFault: (error) => {
      throw error;
    },
  });
}

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nhost: test\r\n\r\n';

async function get(): Promise<IncomingMessage> {
  const outgoing = httpRequest(server.url, { agent });
  outgoing.end();
  // A client request's `response` event has the one argument.
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

const answer: StreamingHandler = async (_event, stream) => void stream.end('{}');

test('a connection that waits for its next request ends at once', async () => {
  await serve(answer);
  expect((await get()).headers.connection).toBe('keep-alive');
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('a running answer tells that its connection ends, and an answer half written ends it', async () => {
  const gate = createOpenableGate();
  let running = 0;
  await serve(async (event, stream) => {
    if ((event as { rawPath: string }).rawPath === '/half') stream.write('first ');
    running += 1;
    await gate.opened;
    stream.end('last');
  });
  const half = await open();
  half.write(GET.replace('/', '/half'));
  const whole = get();
  await expect.poll(() => running).toBe(2);
  const closed = server.close();
  gate.open();
  const begun = performance.now();
  expect((await whole).headers.connection).toBe('close');
  expect(await text(half)).toMatch(/first .*last/s);
  expect(performance.now() - begun).toBeLessThan(1_000);
  await closed;
});

test('what follows an answer is waited for: settlement', async () => {
  const gate = createOpenableGate();
  const order: string[] = [];
  await serve(async (_event, stream) => {
    stream.end('{}');
    await gate.opened;
    order.push('settled');
  });
  await text(await get());
  const closed = server.close().then(() => order.push('closed'));
  await sleep(50);
  gate.open();
  await closed;
  expect(order).toEqual(['settled', 'closed']);
});

test('a request on a connection that was open before is refused in the shape of the service', async () => {
  const gate = createOpenableGate();
  let invoked = 0;
  await serve(async (_event, stream) => {
    invoked += 1;
    await gate.opened;
    stream.end('{}');
  });
  const running = get();
  const early = await open();
  await expect.poll(() => invoked).toBe(1);
  const closed = server.close();
  early.write(GET);
  const refusal = await text(early);
  expect(refusal).toMatch(/^HTTP\/1.1 503 .*connection: close/is);
  expect(refusal).toContain('"type":"gateway_error"');
  expect(invoked).toBe(1);
  await expect(open()).rejects.toThrow();
  gate.open();
  await text(await running);
  await closed;
});

test('the end of a long answer reaches a client that is slow to read it', async () => {
  const megabytes = 8;
  await serve(async (_event, stream) => {
    const part = Buffer.alloc(1_000_000, 'x');
    for (let written = 0; written < megabytes; written += 1) {
      if (!stream.write(part)) await once(stream, 'drain');
    }
    stream.end('the end');
    await once(stream, 'finish');
  });
  const slow = await open();
  slow.pause();
  slow.write(GET);
  await sleep(50);
  const closed = server.close();
  await sleep(50);
  slow.resume();
  expect((await text(slow)).endsWith('the end\r\n0\r\n\r\n')).toBe(true);
  await closed;
});
