/** A bare pass-through proxy in one process: what any gateway before a stream costs at least. */

import { Agent, request } from 'node:http';
import { pipeline } from 'node:stream';
import { serveParent } from './child.ts';
import { listen } from './listen.ts';

const target = process.argv[2] ?? '';
const agent = new Agent({ keepAlive: true });

const { url } = await listen((incoming, response) => {
  const { headers, method = 'GET', url: path = '/' } = incoming;
  const outgoing = request(target + path, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  pipeline(incoming, outgoing, () => undefined);
});
serveParent(url);
