import { serveGateway } from '../local/serve.ts';
import { startingErrorLine } from '../local/starting-error.ts';
import { stopOnSignals } from '../local/stop-on-signals.ts';
import { checkWorld } from './check-world.ts';
import { readContainerSettings } from './settings.ts';

/**
 * The container's entry: the HTTP server and the sweep, on settings from the environment alone.
 *
 * There is no path of its own for health checks, for every path is the API's: a load balancer asks
 * `GET /v1/models`, which is public and answered from memory. Its 200 (behind the lock to the edge
 * its 404) says that the process and its catalog are there. The database has no part in it: an outage
 * is answered by 503, and a container that is replaced meanwhile would cut its streams for nothing.
 */
async function start(): Promise<void> {
  const settings = readContainerSettings(process.env);
  await checkWorld(process.env);
  const gateway = await serveGateway(settings);
  stopOnSignals({
    stop: gateway.close,
    dropClients: gateway.dropClients,
    graceMs: settings.graceMs,
  });
  console.log(JSON.stringify({ level: 'info', event: 'listening', url: gateway.url }));
}

try {
  await start();
} catch (error) {
  console.error(startingErrorLine(error));
  process.exit(1);
}
