import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeCatalog } from '../../catalog/write.ts';
import { prepareDatabase } from './database.ts';
import { ensureDemoKey } from './demo-account.ts';
import { type FunctionUrlServer, startFunctionUrlServer } from './function-url-server.ts';
import { importFunctions, type LocalFunctions } from './functions.ts';
import { ensureIdentityKey } from './identity-key.ts';
import { type LocalSettings, readLocalSettings } from './settings.ts';
import { startSimulatedProviders } from './simulated-providers/server.ts';
import { startingErrorLine } from './starting-error.ts';

const SWEEP_EVERY_MS = 60_000;

/** `npm start`: the gateway and everything that it needs, in one process tree. */
async function start(): Promise<void> {
  const settings = readLocalSettings(process.env);
  mkdirSync(settings.dataFolder, { recursive: true });
  const database = await prepareDatabase(settings);
  const simulated = await startSimulated(settings);
  await configureFunctions(settings, database.endpoint);
  const apiKey = await ensureDemoKey(database.context, settings.dataFolder);
  const functions = await importFunctions();
  const server = await startFunctionUrlServer({
    host: settings.host,
    port: settings.port,
    handlerFor: functions.handlerFor,
    onFault: (error) => console.error(error),
  });
  const sweep = sweepEveryMinute(functions);
  stopOnSignals(async () => {
    clearInterval(sweep);
    await server.close();
    await simulated?.close();
    await database.stop();
  });
  greet(settings, server, { apiKey, databaseEndpoint: database.endpoint });
}

/** One server plays every provider that has no address and no key of its own. */
async function startSimulated(settings: LocalSettings) {
  if (settings.simulated.length === 0) return undefined;
  const providers = await startSimulatedProviders();
  const urls = {
    openai: providers.openaiUrl,
    azure: providers.azureUrl,
    anthropic: providers.anthropicUrl,
  };
  for (const provider of settings.simulated) {
    process.env[`UPSTREAM_${provider.toUpperCase()}_URL`] = urls[provider];
  }
  return providers;
}

/** The functions read their settings when they are imported. */
async function configureFunctions(settings: LocalSettings, endpoint: string): Promise<void> {
  const catalogPath = join(settings.dataFolder, 'catalog.json');
  await writeCatalog(catalogPath);
  process.env.CATALOG_PATH = catalogPath;
  process.env.DYNAMODB_ENDPOINT = endpoint;
  process.env.SPOOL_FOLDER = join(settings.dataFolder, 'spool');
  process.env.IDENTITY_KEY_FILE = ensureIdentityKey(settings.dataFolder);
}

function sweepEveryMinute(functions: LocalFunctions): NodeJS.Timeout {
  return setInterval(() => {
    functions.sweepHolds().catch((error: unknown) => console.error('sweep:', error));
  }, SWEEP_EVERY_MS);
}

/** The first signal lets running requests finish and settle; a second one ends at once. */
function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function greet(
  settings: LocalSettings,
  server: FunctionUrlServer,
  shown: { apiKey: string; databaseEndpoint: string },
): void {
  const simulated = settings.simulated.join(', ') || 'none';
  console.log(`Tollgate is ready at ${server.url}
  database: ${shown.databaseEndpoint}
  data folder: ${settings.dataFolder}
  simulated providers: ${simulated}

Point any OpenAI client at it:

export OPENAI_BASE_URL=${server.url}/v1
export OPENAI_API_KEY=${shown.apiKey}

Or try it:

curl "$OPENAI_BASE_URL/chat/completions" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model": "claude-sonnet-5", "stream": true, "messages": [{"role": "user", "content": "Say hello."}]}'
`);
}

try {
  await start();
} catch (error) {
  console.error(startingErrorLine(error));
  process.exit(1);
}
