import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeCatalog } from '../../catalog/write.ts';
import { upstreamSetting } from '../../shared/settings/upstreams.ts';
import { takeLogLines } from '../../shared/telemetry/log-lines.ts';
import { createConsole, isLoopback } from '../console/server.ts';
import { prepareDatabase } from './database.ts';
import { ensureDemoKey } from './demo-account.ts';
import { ensureIdentityKey } from './identity-key.ts';
import { serveGateway } from './serve.ts';
import { type LocalSettings, readLocalSettings, SettingError } from './settings.ts';
import { startSimulatedProviders } from './simulated-providers/server.ts';
import { startingErrorLine } from './starting-error.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { createJsonTerminal, createReadableTerminal, type Terminal } from './terminal.ts';

const USAGE = `Usage: npm start [-- --json]

Runs the gateway with its database, simulated providers and a console on this machine.

  --json  Writes one JSON document a line, for machines.
  --help  Prints this.

What else it takes stands in the environment: see Settings in README.md.`;

/** `npm start`: the gateway and everything that it needs, in one process tree. */
async function start(terminal: Terminal): Promise<void> {
  const settings = readLocalSettings(process.env);
  mkdirSync(settings.dataFolder, { recursive: true });
  const done = terminal.working('Starting the database and the gateway');
  const { database, apiKey, gateway } = await bringUp(settings, terminal).finally(done);
  terminal.ready({
    url: gateway.url,
    databaseEndpoint: database.endpoint,
    dataFolder: settings.dataFolder,
    simulated: settings.simulated,
    apiKey,
    hasConsole: isLoopback(settings.host),
  });
}

async function bringUp(settings: LocalSettings, terminal: Terminal) {
  const database = await prepareDatabase(settings);
  const simulated = await startSimulated(settings);
  await configureFunctions(settings, database.endpoint);
  const apiKey = await ensureDemoKey(database.context, settings.dataFolder);
  takeLogLines(terminal.logged);
  const gateway = await serveGateway({
    host: settings.host,
    port: settings.port,
    onAnswered: terminal.answered,
    // It shows the operator's data: never to another machine.
    ...(isLoopback(settings.host)
      ? { answerFirst: createConsole({ context: database.context, apiKey }) }
      : {}),
  });
  stopOnSignals({
    stop: async () => {
      await gateway.close();
      await simulated?.close();
      await database.stop();
    },
    dropClients: gateway.dropClients,
  });
  return { database, apiKey, gateway };
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
    process.env[upstreamSetting(provider, 'URL')] = urls[provider];
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

function readFlags() {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ options }).values;
  } catch (cause) {
    throw new SettingError(USAGE, { cause });
  }
}

const writeLine = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { json, help } = readFlags();
  if (help) writeLine(USAGE);
  else await start(json ? createJsonTerminal(writeLine) : createReadableTerminal(writeLine));
} catch (error) {
  console.error(startingErrorLine(error));
  process.exit(1);
}
