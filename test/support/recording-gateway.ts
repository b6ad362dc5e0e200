import assert from 'node:assert/strict';
import { readAccountBalance } from '../../shared/ledger/accounts.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import { createLedger, type Ledger } from '../../shared/ledger/ledger.ts';
import { listEntries } from '../../shared/ledger/list-entries.ts';
import type { Item } from '../../shared/ledger/store.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { eventually } from './eventually.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { type FundedKey, fundedKey } from './ledger.ts';
import { scriptedProviders } from './money.ts';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

/** A gateway whose three providers are one scripted upstream, and its ledger beside it. */
export interface ScriptedGateway {
  readonly gateway: RunningGateway;
  readonly upstream: ScriptedUpstream;
  readonly ledger: Ledger;
  /** A fresh account with credit and a key that no bucket limits. */
  newKey(): Promise<FundedKey>;
  /**
   * Waits until nothing is held any more and so many requests are settled; returns their ledger
   * rows, oldest first, after checking the balance against them to the nano-dollar.
   */
  settled(accountId: string, requests: number): Promise<Item[]>;
  stop(): Promise<void>;
}

/** 100 dollars, in nano-dollars. */
const CREDIT = 100_000_000_000n;

/** Starts such a gateway; `environment` adds to its settings. */
export async function startScriptedGateway(
  environment: Readonly<Record<string, string>> = {},
): Promise<ScriptedGateway> {
  const upstream = await startScriptedUpstream();
  const gateway = await startGateway({
    environment: { ...scriptedProviders(upstream), ...environment },
  });
  const client = createDynamoDbClient({ endpoint: gateway.databaseEndpoint });
  const ledger = createLedger({ send: createDynamoDbSend(client), tables: LOCAL_TABLES });
  return {
    gateway,
    upstream,
    ledger,
    newKey: () => fundedKey(ledger, CREDIT),
    settled: (accountId, requests) => settled(ledger, accountId, requests),
    stop: async () => {
      await gateway.stop();
      await upstream.close();
    },
  };
}

function settled(ledger: Ledger, accountId: string, requests: number): Promise<Item[]> {
  return eventually(async () => {
    const { context } = ledger;
    const rows = await listEntries(context, accountId);
    const finalized = rows.filter(({ kind }) => kind !== 'credit');
    assert.equal(finalized.length, requests, 'every request is settled once');
    const { available, held } = await readAccountBalance(context, accountId);
    assert.equal(held, 0n, 'no hold is left');
    const charged = finalized.filter(({ kind }) => kind === 'charge');
    const spent = charged.reduce((sum, row) => sum + BigInt(String(row.amount_nano)), 0n);
    assert.equal(available, CREDIT - spent, 'the balance is the credit less the charges');
    return finalized;
  }, 10_000);
}
