import { mkdirSync } from 'node:fs';
import { startDeployedGateway } from './deployed-gateway.ts';

/*
 * What the tests start in place of `infra/local/start.ts` with TEST_GATEWAY_ENTRY: the same
 * settings, the same lines, and behind them the built bundles under the runtime client.
 */

const { DATA_DIR = '' } = process.env;
mkdirSync(DATA_DIR, { recursive: true });
const gateway = await startDeployedGateway({
  environment: process.env,
  log: (text) => process.stdout.write(text),
});
process.once('SIGINT', async () => {
  await gateway.stop();
  process.exit(0);
});
console.log(
  JSON.stringify({
    event: 'ready',
    url: gateway.url,
    apiKey: gateway.apiKey,
    databaseEndpoint: gateway.databaseEndpoint,
  }),
);

// A test run that was killed leaves nothing behind.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 1_000).unref();
