import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../infra/local/listen.ts';
import { NEVER } from './gate.ts';

/** One command as it passed on the wire. */
export interface DatabaseCommand {
  /** 0 for the first one. */
  readonly order: number;
  /** `PutItem`, `UpdateItem`, `GetItem`, `Query`, ... */
  readonly operation: string;
  readonly table: string;
  /** Of the item; empty for a query. */
  readonly pk: string;
  readonly sk: string;
  /** The request's own JSON as text. */
  readonly text: string;
  /** Set once the database has answered: its status and the capacity units it says it took. */
  answered?: { readonly status: number; readonly units: number };
}

/** What happens to a command on its way; without one it passes. */
export interface Treatment {
  /** The database gets the command only when this resolves, if its sender still waits then. */
  readonly before?: Promise<unknown>;
  /** The sender gets the answer only when this resolves. */
  readonly after?: Promise<unknown>;
  /** The connection breaks: before the database has seen the command, or in place of its answer. */
  readonly lose?: 'command' | 'answer';
}

export type TreatCommand = (command: DatabaseCommand) => Treatment | undefined;

/** A way to the database on which a test sees, counts, holds back and loses commands. */
export interface DatabaseProxy {
  readonly endpoint: string;
  /** Every command so far, in the order of arrival. */
  readonly commands: readonly DatabaseCommand[];
  /** Decides on each command from now on; without an argument all pass. */
  treat(how?: TreatCommand): void;
  /** Breaks every connection and refuses new ones until `restore`. */
  refuse(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** The database says nothing at all. */
export const silent: TreatCommand = () => ({ before: NEVER });

/** Starts a proxy before the database at `target`, on a free port of the loopback. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const commands: DatabaseCommand[] = [];
  let treat: TreatCommand = () => undefined;
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    const pass = async () => {
      const text = (await buffer(incoming)).toString('utf8');
      const command = readCommand(incoming, text, commands.length);
      commands.push(command);
      const treatment = treat(command);
      await treatment?.before;
      if (treatment?.lose === 'command' || response.destroyed) return void response.destroy();
      const answer = await forward(target, incoming, text);
      command.answered = { status: answer.status, units: unitsOf(answer.body) };
      await treatment?.after;
      if (treatment?.lose === 'answer') return void response.destroy();
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    };
    pass().catch(() => response.destroy());
  };
  let server = await serve(handle, 0);
  // A TCP server that listens has an address object, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    commands,
    treat: (how = () => undefined) => {
      treat = how;
    },
    refuse: stop,
    restore: async () => {
      server = await serve(handle, port);
    },
    close: async () => {
      if (server.listening) await stop();
    },
  };
}

async function serve(
  handle: (incoming: IncomingMessage, response: ServerResponse) => void,
  port: number,
) {
  const server = createServer(handle);
  server.keepAliveTimeout = 60_000;
  await listen(server, port);
  return server;
}

function readCommand(incoming: IncomingMessage, text: string, order: number): DatabaseCommand {
  const body = JSON.parse(text);
  const key = body.Key ?? body.Item;
  return {
    order,
    operation: String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '',
    table: body.TableName ?? '',
    pk: key?.pk?.S ?? '',
    sk: key?.sk?.S ?? '',
    text,
  };
}

/** The command asks for its capacity on top: local databases do not check signatures. */
async function forward(target: string, incoming: IncomingMessage, text: string) {
  const counted = /Item$|^Query$/.test(
    String(incoming.headers['x-amz-target']).split('.')[1] ?? '',
  );
  const body = counted
    ? JSON.stringify({ ...JSON.parse(text), ReturnConsumedCapacity: 'TOTAL' })
    : text;
  const headers = { ...incoming.headers, 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = request(target, { method: 'POST', headers });
  outgoing.end(body);
  // A client request's `response` event has the one argument.
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 500,
    headers: answer.headers,
    body: (await buffer(answer)).toString('utf8'),
  };
}

function unitsOf(body: string): number {
  const units = JSON.parse(body)?.ConsumedCapacity?.CapacityUnits;
  return typeof units === 'number' ? units : 0;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);

/** Whether a command changes an item. */
export function isWriteCommand({ operation }: DatabaseCommand): boolean {
  return WRITES.has(operation);
}
