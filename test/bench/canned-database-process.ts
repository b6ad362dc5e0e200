/**
 * The canned database's own process: it answers every command at once as if it had succeeded, with
 * the items that it was given. What a gateway costs by itself shows before it.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveParent } from './child.ts';
import { listen } from './listen.ts';

/** An item as it is on the wire. */
type WireItem = Readonly<Record<string, { readonly S?: string }>>;

const items = new Map<string, string>();

/** Item by its key, as the JSON of a reply in which it stands. */
function remember(given: readonly WireItem[]): void {
  for (const item of given) items.set(`${item.pk?.S} ${item.sk?.S}`, JSON.stringify(item));
}

function reply(operation: string, text: string): string {
  switch (operation) {
    case 'GetItem': {
      const item = itemNamed(text);
      return item === undefined ? '{}' : `{"Item":${item}}`;
    }
    case 'UpdateItem': {
      const item = itemNamed(text);
      return item === undefined ? '{}' : `{"Attributes":${item}}`;
    }
    case 'Query':
      return '{"Items":[],"Count":0,"ScannedCount":0}';
    case 'DescribeTable':
      return '{"Table":{"TableStatus":"ACTIVE"}}';
    default:
      return '{}';
  }
}

const KEY = /"Key":\{"pk":\{"S":"([^"]*)"\},"sk":\{"S":"([^"]*)"\}\}/;

/** Cheaper than parsing: this process shares its processors with what is measured. */
function itemNamed(text: string): string | undefined {
  const [, pk, sk] = KEY.exec(text) ?? [];
  return items.get(`${pk} ${sk}`);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await buffer(request)).toString();
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const body = reply(operation, text);
  response.writeHead(200, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const { url } = await listen((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
serveParent(url, remember);
