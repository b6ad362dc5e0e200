/**
 * A gateway's own process, composed as `npm start` composes it, but with a database and providers
 * that its environment names, without a demo account, and with its log thrown away.
 */

import { startFunctionUrlServer } from '../../infra/local/function-url-server.ts';
import { importFunctions } from '../../infra/local/functions.ts';
import { serveParent } from './child.ts';

const functions = await importFunctions();
const server = await startFunctionUrlServer({
  host: '127.0.0.1',
  port: 0,
  handlerFor: functions.handlerFor,
  onFault: (error) => console.error(error),
});
serveParent(server.url);
