import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback, and its address without a final slash. */
export async function listen(
  handle: RequestListener,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(handle);
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address object, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}
