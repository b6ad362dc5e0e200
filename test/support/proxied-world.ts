import { startEmbeddedDatabase } from '../../infra/local/embedded-database.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';
import { type Books, openBooks, scriptedProviders } from './money.ts';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

/** What a gateway works with, all of it in the test's hand: its providers, and the way to its database. */
export interface ProxiedWorld {
  readonly upstream: ScriptedUpstream;
  readonly proxy: DatabaseProxy;
  /** Beside the proxy: what it does to the gateway's commands does not touch them. */
  readonly books: Books;
  /** Settings of a gateway in this world. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends everything; the gateways come first. */
  close(): Promise<void>;
}

/** Opens such a world, with an empty database in memory. */
export async function openProxiedWorld(): Promise<ProxiedWorld> {
  const upstream = await startScriptedUpstream();
  const database = await startEmbeddedDatabase({ port: 0 });
  const proxy = await startDatabaseProxy(database.endpoint);
  const books = openBooks(database.endpoint);
  return {
    upstream,
    proxy,
    books,
    environment: { ...scriptedProviders(upstream), DYNAMODB_ENDPOINT: proxy.endpoint },
    close: async () => {
      books.close();
      await proxy.close();
      await database.stop();
      await upstream.close();
    },
  };
}
