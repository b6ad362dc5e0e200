import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/**
 * Begins to listen on a port (0: any free one) of a host, by default of this machine alone, and
 * returns the port. Rejects with the server's own error where the port is taken.
 */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  // A server that listens on TCP has an address object, never a pipe's name.
  return (server.address() as AddressInfo).port;
}
