import { setTimeout as sleep } from 'node:timers/promises';
import type { KeySettings } from '../../shared/ledger/key-admin.ts';
import {
  type DatabaseCommand,
  type DatabaseProxy,
  isWriteCommand,
  startDatabaseProxy,
} from '../support/database-proxy.ts';
import { answer, ask, settled } from '../support/money.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type BenchDatabase, CREDIT, startDatabase, startGatewayProcess } from './gateways.ts';
import { atMost } from './goals.ts';
import { type Own, withOwned } from './processes.ts';
import { countRoundTrips } from './round-trips.ts';
import type { Measurement, Section } from './section.ts';
import { rounded, sum } from './statistics.ts';

/** Answers wait this long, so that commands which were sent together are seen to be. */
const ANSWER_DELAY_MS = 60;
/** Published prices of us-east-1 on demand, in US dollars for a million units. */
const DOLLARS_PER_MILLION = { write: 0.625, read: 0.125 };
/** A transaction takes two units for each that a single write takes. */
const TRANSACTION_FACTOR = 2;
const NEIGHBOUR_AMOUNT = 1_234_567_890n;
const LIMIT = CREDIT;

interface Kind {
  readonly name: string;
  readonly settings: Partial<KeySettings>;
  /** Holds of neighbours that are open on the account meanwhile. */
  readonly neighbours: number;
  /** Whether the gateway has seen the key before. */
  readonly warm: boolean;
}

const LIMITS: Partial<KeySettings> = {
  lifetimeLimit: LIMIT,
  recurringLimit: { amount: LIMIT, period: 'month' },
};
const KINDS: readonly Kind[] = [
  { name: 'warm key', settings: {}, neighbours: 0, warm: true },
  { name: 'warm key, 19 holds open', settings: {}, neighbours: 19, warm: true },
  { name: 'warm key with spend limits', settings: LIMITS, neighbours: 0, warm: true },
  {
    name: 'warm key with spend limits, 19 holds open',
    settings: LIMITS,
    neighbours: 19,
    warm: true,
  },
  { name: 'cold key', settings: {}, neighbours: 0, warm: false },
];

interface Counted {
  readonly kind: string;
  readonly roundTrips: number;
  readonly commands: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly dollars: number;
  readonly dollarsByTransactions: number;
}

interface World {
  readonly database: BenchDatabase;
  readonly proxy: DatabaseProxy;
  readonly upstream: ScriptedUpstream;
  readonly url: string;
}

/** What a request does to the database, counted on the wire, and what that costs on AWS. */
export const database: Measurement = {
  name: 'database',
  title: 'Database',
  measure: ({ progress }) =>
    withOwned(async (own) => {
      const world = await openWorld(own);
      const counted: Counted[] = [];
      for (const kind of KINDS) {
        progress(kind.name);
        counted.push(await countKind(world, kind));
      }
      return report(counted);
    }),
};

async function openWorld(own: Own): Promise<World> {
  const upstream = await startScriptedUpstream();
  own({ stop: upstream.close });
  const opened = own(await startDatabase('memory'));
  const proxy = await startDatabaseProxy(opened.endpoint);
  own({ stop: proxy.close });
  const gateway = own(
    await startGatewayProcess({ databaseEndpoint: proxy.endpoint, upstreamUrl: upstream.url }),
  );
  return { database: opened, proxy, upstream, url: String(gateway.ready) };
}

async function countKind(world: World, kind: Kind): Promise<Counted> {
  const { books } = world.database;
  const { apiKey, accountId } = await books.newKey(CREDIT, kind.settings);
  const send = () => requestOnce(world, apiKey);
  if (kind.warm) await send();
  await settled(books, accountId);
  const key = await books.ledger.authenticateKey(apiKey);
  const neighbour = { key, amount: NEIGHBOUR_AMOUNT, fingerprint: 'neighbour' };
  for (let open = 0; open < kind.neighbours; open += 1) await books.ledger.placeHold(neighbour);
  const { all, roundTrips } = await send();
  const units = (some: readonly DatabaseCommand[]) =>
    sum(some.map(({ answered }) => answered?.units ?? 0));
  const writeUnits = units(all.filter(isWriteCommand));
  const readUnits = units(all.filter((command) => !isWriteCommand(command)));
  const writes = writeUnits * DOLLARS_PER_MILLION.write;
  const reads = readUnits * DOLLARS_PER_MILLION.read;
  return {
    kind: kind.name,
    roundTrips,
    commands: all.length,
    writeUnits,
    readUnits,
    dollars: writes + reads,
    dollarsByTransactions: writes * TRANSACTION_FACTOR + reads,
  };
}

/** One request; its commands, and how many followed one another before the provider was asked. */
async function requestOnce({ proxy, upstream, url }: World, apiKey: string) {
  const from = proxy.commands.length;
  const passed: { sentMs: number; answeredMs: number }[] = [];
  let beforeDispatch = 0;
  proxy.treat(() => {
    const command = { sentMs: performance.now(), answeredMs: Number.POSITIVE_INFINITY };
    passed.push(command);
    const after = sleep(ANSWER_DELAY_MS).then(() => {
      command.answeredMs = performance.now();
    });
    return { after };
  });
  upstream.enqueue(() => {
    beforeDispatch = passed.length;
    return answer();
  });
  const response = await ask({ url, apiKey });
  await response.text();
  if (response.status !== 200) throw new Error(`the gateway answered ${response.status}`);
  await quiet(proxy);
  proxy.treat();
  const roundTrips = countRoundTrips(passed.slice(0, beforeDispatch));
  return { all: proxy.commands.slice(from), roundTrips };
}

/** Resolves when every command has been answered and no other has come for a while. */
async function quiet(proxy: DatabaseProxy): Promise<void> {
  let seen = -1;
  while (seen !== proxy.commands.length || proxy.commands.some(({ answered }) => !answered)) {
    seen = proxy.commands.length;
    await sleep(ANSWER_DELAY_MS * 3);
  }
}

function report(
  counted: readonly Counted[],
): Pick<Section, 'tables' | 'figures' | 'goals' | 'notMeasured'> {
  const rows = counted.map((one) => ({
    ...one,
    dollars: rounded(one.dollars),
    dollarsByTransactions: rounded(one.dollarsByTransactions),
  }));
  const warm = counted.filter((_, index) => KINDS[index]?.warm);
  const most = (figure: (one: Counted) => number) => Math.max(...warm.map(figure));
  return {
    tables: [
      {
        title: 'One request on the wire, and a million of them on AWS in US dollars',
        columns: [
          'request',
          'round trips before dispatch',
          'commands',
          'write units',
          'read units',
          '$ per million',
          '$ with transactions',
        ],
        rows: rows.map((row) => Object.values(row)),
      },
    ],
    figures: { requests: rows, dollarsPerMillion: DOLLARS_PER_MILLION },
    goals: [
      atMost(
        'round trips before dispatch, warm key',
        1,
        most(({ roundTrips }) => roundTrips),
      ),
      atMost(
        'write units of a request, warm key',
        6,
        most(({ writeUnits }) => writeUnits),
      ),
    ],
    notMeasured: [],
  };
}
