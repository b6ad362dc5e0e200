import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { buildFunctions } from '../../infra/aws/build.ts';
import { startEnvironment } from '../runtime/environment.ts';
import { CREDIT, prepareSettings, startDatabase } from './gateways.ts';
import { atMost } from './goals.ts';
import { type Own, startProcess, withOwned } from './processes.ts';
import type { Measurement, Section } from './section.ts';
import { median, rounded } from './statistics.ts';

const ROUNDS = { full: 15, quick: 3 };
const HELLO = 'hello';
/** What every deployed function has, the hello bundle too. */
const DEPLOYED_VARIABLES = { METRICS_NAMESPACE: 'Tollgate' };
const LIMITS = { POST: 3, GET: 1.3 } as const;

interface Route {
  /** Folder of `functions/`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const ROUTES: readonly Route[] = [
  {
    name: 'chat-completions',
    method: 'POST',
    path: '/v1/chat/completions',
    body: { model: 'gpt-5.6-sol', messages: [{ role: 'user', content: 'Say hello.' }] },
  },
  {
    name: 'responses',
    method: 'POST',
    path: '/v1/responses',
    body: { model: 'claude-sonnet-5', input: 'Say hello.' },
  },
  { name: 'models', method: 'GET', path: '/v1/models' },
  { name: 'catalog', method: 'GET', path: '/v1/catalog' },
];

/** What the other bundles are measured by: the least that a streaming function can be. */
const HELLO_BUNDLE = `export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const http = { statusCode: 200, headers: { 'content-type': 'application/json' } };
  const body = awslambda.HttpResponseStream.from(stream, http);
  body.write('{"hello":true}');
  body.end();
});
`;

interface World {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiKey: string;
}

/** Milliseconds from the start of the process. */
interface Start {
  readonly name: string;
  readonly readyMs: number;
  readonly answeredMs: number;
}

/** How long each built bundle takes from nothing to its first answer, under the real runtime client. */
export const coldStart: Measurement = {
  name: 'cold-start',
  title: 'Cold start',
  measure: ({ quick, progress }) =>
    withOwned(async (own) => {
      progress('building the bundles');
      const world = await openWorld(own);
      const routes = [{ name: HELLO, method: 'GET', path: '/' } as const, ...ROUTES];
      const starts: Start[] = [];
      const rounds = quick ? ROUNDS.quick : ROUNDS.full;
      for (let round = 1; round <= rounds; round += 1) {
        progress(`round ${round} of ${rounds}`);
        for (const route of routes) starts.push(await startOnce(world, route));
      }
      return report(starts, await bundleBytes(world.folder));
    }),
};

async function openWorld(own: Own): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  own({ stop: () => rm(folder, { recursive: true, force: true }) });
  await buildFunctions(folder);
  await mkdir(join(folder, HELLO));
  await writeFile(join(folder, HELLO, 'index.mjs'), HELLO_BUNDLE);
  const upstream = own(await startProcess(new URL('./upstream-process.ts', import.meta.url)));
  const database = own(await startDatabase('memory'));
  const { apiKey } = await database.books.newKey(CREDIT);
  const upstreamUrl = String(upstream.ready);
  const settings = own(await prepareSettings({ databaseEndpoint: database.endpoint, upstreamUrl }));
  return { folder, apiKey, environment: { ...settings.environment, ...DEPLOYED_VARIABLES } };
}

async function startOnce({ folder, environment, apiKey }: World, route: Route): Promise<Start> {
  const startedMs = performance.now();
  const started = await startEnvironment({ bundleFolder: join(folder, route.name), environment });
  try {
    const { readyMs } = started;
    const { statusCode, body } = await started.invoke(eventOf(route, apiKey));
    const text = (await buffer(body)).toString();
    const answeredMs = performance.now() - startedMs;
    if (statusCode !== 200) throw new Error(`${route.name} answered ${statusCode}: ${text}`);
    await started.idle();
    return { name: route.name, readyMs, answeredMs };
  } finally {
    await started.stop();
  }
}

/** A function URL event (payload format 2.0) as the platform makes it. */
function eventOf({ method, path, body }: Route, apiKey: string) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    requestContext: {
      requestId: crypto.randomUUID(),
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'bench' },
      timeEpoch: Date.now(),
    },
    isBase64Encoded: false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** What a cold start reads of each bundle. */
async function bundleBytes(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = [HELLO, ...ROUTES.map(({ name }) => name)];
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(name, await eagerBytes(join(folder, name), 'index.mjs'));
  return sizes;
}

const STATIC_IMPORT = /(?:from|import)\s*"(\.{1,2}\/[^"]+\.mjs)"/g;

/** An entry and every chunk that it imports at once; what is imported lazily is not read. */
async function eagerBytes(folder: string, entry: string): Promise<number> {
  const files = new Set([join(folder, entry)]);
  let bytes = 0;
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    bytes += Buffer.byteLength(text);
    for (const [, chunk = ''] of text.matchAll(STATIC_IMPORT))
      files.add(join(dirname(file), chunk));
  }
  return bytes;
}

function report(
  starts: readonly Start[],
  bytes: ReadonlyMap<string, number>,
): Pick<Section, 'tables' | 'figures' | 'goals' | 'notMeasured'> {
  const middle = (name: string, of: (start: Start) => number) =>
    median(starts.filter((start) => start.name === name).map(of));
  const ready = (name: string) => middle(name, ({ readyMs }) => readyMs);
  const answered = (name: string) => middle(name, ({ answeredMs }) => answeredMs);
  const rows = [...bytes].map(([name, size]) => ({
    name,
    bytes: size,
    readyMs: rounded(ready(name)),
    readyOverHello: rounded(ready(name) / ready(HELLO)),
    answeredMs: rounded(answered(name)),
    answeredOverHello: rounded(answered(name) / answered(HELLO)),
  }));
  return {
    tables: [
      {
        title: 'From the start of the process, in milliseconds, under aws-lambda-ric; medians',
        columns: ['bundle', 'bytes', 'ready', 'over hello', 'first answer', 'over hello'],
        rows: rows.map((row) => Object.values(row)),
      },
    ],
    figures: { bundles: rows },
    goals: ROUTES.flatMap(({ name, method }) => [
      atMost(`ready, ${name}, over hello`, LIMITS[method], ready(name) / ready(HELLO)),
      atMost(`first answer, ${name}, over hello`, LIMITS[method], answered(name) / answered(HELLO)),
    ]),
    notMeasured: ['the platform’s own part of a cold start: only AWS has it'],
  };
}
