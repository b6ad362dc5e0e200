/**
 * The embedded database's own process: dynalite on the port and folder that its parent names. It
 * lives as long as the channel to its parent: a parent that is killed takes it along.
 */

import dynalite from 'dynalite';

export type DatabaseMessage =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

function tell(message: DatabaseMessage): void {
  process.send?.(message);
}

function fail(error: NodeJS.ErrnoException): void {
  tell({ kind: 'failed', code: error.code ?? '', message: error.message });
  process.exitCode = 1;
  process.disconnect();
}

function run(port: number, folder: string | undefined): void {
  const server = dynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(folder === undefined ? {} : { path: folder }),
  });
  server.keepAliveTimeout = 60_000;
  server.on('error', fail);
  process.on('uncaughtException', fail);
  // Ctrl-C reaches the whole process group; the parent decides when the database goes.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.on('disconnect', () => {
    server.closeAllConnections();
    server.close(() => process.exit());
  });
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    const boundPort = typeof address === 'object' && address ? address.port : port;
    proveOpen(boundPort).then(() => tell({ kind: 'ready', port: boundPort }), fail);
  });
}

/** dynalite listens before its files are open, and then fails its callers one by one: asks it once. */
async function proveOpen(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.DescribeTable',
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=b',
    },
    body: JSON.stringify({ TableName: 'none' }),
  });
  const text = await answer.text();
  if (!text.includes('ResourceNotFoundException')) throw new Error(text);
}

run(Number(process.argv[2]), process.argv[3]);
