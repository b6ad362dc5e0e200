import { CREDIT, startCannedDatabase, startDatabase, startGatewayProcess } from './gateways.ts';
import type { LoadJob } from './load-process.ts';
import type { Scenario } from './overhead-scenarios.ts';
import { PORTKEY, startPortkey } from './portkey.ts';
import { type BenchProcess, type Own, startProcess } from './processes.ts';

export type PeerName = 'direct' | 'tollgate, canned database' | 'tollgate' | 'portkey';

/** One of those who answer the same requests. */
export interface Peer {
  readonly name: PeerName;
  /** The process that is paid for; undefined where there is none between client and provider. */
  readonly process: BenchProcess | undefined;
  /** What to send for a scenario; undefined where the peer does not offer it. */
  readonly request: (scenario: Scenario) => Pick<LoadJob, 'url' | 'headers' | 'body'> | undefined;
}

/** Starts all of them before one upstream. `missing` says why one could not be started. */
export async function startPeers(own: Own): Promise<{ peers: Peer[]; missing: string[] }> {
  const upstream = own(await startProcess(new URL('./upstream-process.ts', import.meta.url)));
  const upstreamUrl = String(upstream.ready);
  const database = own(await startDatabase());
  const { apiKey } = await database.books.newKey(CREDIT);
  const canned = own(await startCannedDatabase(database));
  const open = async (databaseEndpoint: string) =>
    own(await startGatewayProcess({ databaseEndpoint, upstreamUrl }));
  const peers = [
    direct(upstreamUrl),
    tollgate('tollgate, canned database', await open(String(canned.ready)), apiKey),
    tollgate('tollgate', await open(database.endpoint), apiKey),
  ];
  try {
    return { peers: [...peers, portkey(own(await startPortkey()), upstreamUrl)], missing: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { peers, missing: [`${PORTKEY} could not be fetched or started: ${why}`] };
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

function direct(upstreamUrl: string): Peer {
  return {
    name: 'direct',
    process: undefined,
    request: ({ directPath, directBody }) => ({
      url: upstreamUrl + directPath,
      headers: { ...JSON_TYPE, authorization: 'Bearer provider-key' },
      body: directBody,
    }),
  };
}

function tollgate(name: PeerName, process: BenchProcess, apiKey: string): Peer {
  return {
    name,
    process,
    request: ({ gatewayPath, gatewayBody }) => ({
      url: String(process.ready) + gatewayPath,
      headers: { ...JSON_TYPE, authorization: `Bearer ${apiKey}` },
      body: gatewayBody,
    }),
  };
}

function portkey(process: BenchProcess, upstreamUrl: string): Peer {
  return {
    name: 'portkey',
    process,
    request: ({ gatewayPath, gatewayBody, family, portkeyOffers }) =>
      portkeyOffers
        ? {
            url: String(process.ready) + gatewayPath,
            headers: {
              ...JSON_TYPE,
              authorization: 'Bearer provider-key',
              'x-portkey-provider': family,
              'x-portkey-custom-host': `${upstreamUrl}/${family}`,
            },
            body: gatewayBody,
          }
        : undefined,
  };
}
