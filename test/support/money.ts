import { runAdmin } from '../../infra/operator/run-admin.ts';
import {
  type AccountBalance,
  creditAccount,
  readAccountBalance,
} from '../../shared/ledger/accounts.ts';
import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import type { KeySettings } from '../../shared/ledger/key-admin.ts';
import { createLedger, type Ledger } from '../../shared/ledger/ledger.ts';
import { listEntries } from '../../shared/ledger/list-entries.ts';
import type { Item } from '../../shared/ledger/store.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import { eventually } from './eventually.ts';
import { type FundedKey, fundedKey } from './ledger.ts';
import { type AnswerOptions, chatAnswer } from './provider-answers.ts';
import type { ScriptedAnswer, ScriptedUpstream } from './scripted-upstream.ts';

/** A hold's half hour, and the minutes after which one without a record counts as an orphan. */
const OVER_MS = 36 * 60_000;

const MODEL = 'gpt-5.6-sol';
/** Within what `ask` holds. */
export const COUNTED = { input: 20, cached: 5, output: 50 };

/** A test's own way to the books of running gateways: beside them, never through them. */
export interface Books {
  readonly ledger: Ledger;
  readonly endpoint: string;
  newKey(credit: bigint, limits?: Partial<KeySettings>): Promise<FundedKey>;
  balance(accountId: string): Promise<AccountBalance>;
  credit(accountId: string, amount: bigint): Promise<unknown>;
  /** Ledger rows of an account that took money. */
  charges(accountId: string): Promise<Item[]>;
  /** The admin command with this data folder; its JSON document. Throws when it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each command answers in another shape
  admin(dataFolder: string, ...words: string[]): Promise<any>;
  close(): void;
}

/** Opens the books of the gateways that work on the database at an endpoint. */
export function openBooks(endpoint: string): Books {
  const client = createDynamoDbClient({ endpoint });
  const ledger = createLedger({ send: createDynamoDbSend(client), tables: LOCAL_TABLES });
  const { context } = ledger;
  return {
    ledger,
    endpoint,
    newKey: (credit, limits) => fundedKey(ledger, credit, limits),
    balance: (accountId) => readAccountBalance(context, accountId),
    credit: (accountId, amount) => creditAccount(context, { accountId, amount }),
    charges: async (accountId) =>
      (await listEntries(context, accountId)).filter(({ kind }) => String(kind).endsWith('charge')),
    admin: async (dataFolder, ...words) => {
      const environment = { DYNAMODB_ENDPOINT: endpoint, DATA_DIR: dataFolder };
      const { code, stdout, stderr } = await runAdmin(words, environment);
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}${stdout}`);
      return JSON.parse(stdout);
    },
    close: () => client.destroy(),
  };
}

/** The sweep, as if every hold of today had come to its end, and what `ledger verify` says then. */
export async function sweepAndVerify(books: Books, dataFolder: string) {
  const at = new Date(Date.now() + OVER_MS).toISOString();
  const swept = await books.admin(dataFolder, 'holds', 'sweep', '--at', at);
  const verified = await books.admin(dataFolder, 'ledger', 'verify');
  const holds = await books.admin(dataFolder, 'holds', 'list');
  return { swept, verified, holds };
}

/** The environment of a gateway whose every provider is the scripted one. */
export function scriptedProviders({ url }: Pick<ScriptedUpstream, 'url'>): Record<string, string> {
  return {
    UPSTREAM_OPENAI_URL: `${url}/openai`,
    UPSTREAM_OPENAI_KEY: 'sk-openai-secret',
    UPSTREAM_ANTHROPIC_URL: `${url}/anthropic`,
    UPSTREAM_ANTHROPIC_KEY: 'sk-ant-secret',
    UPSTREAM_AZURE_URL: `${url}/azure`,
    UPSTREAM_AZURE_KEY: 'azure-secret',
  };
}

/** The sum of ledger rows' amounts, in nano-dollars. */
export function amountOf(rows: readonly Item[]): bigint {
  return rows.reduce((sum, row) => sum + BigInt(String(row.amount_nano)), 0n);
}

export interface Ask {
  readonly url: string;
  readonly apiKey: string;
  readonly stream?: boolean;
}

/** One chat request; its body is always the same, so that every hold of it is the same too. */
export function ask({ url, apiKey, stream = false }: Ask): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      // Only OpenAI itself: what is counted is one deployment's way.
      provider: 'openai',
      stream,
      max_completion_tokens: 100,
      messages: [{ role: 'user', content: 'Say hello.' }],
    }),
  });
}

/** A whole answer of the provider, within what `ask` holds. */
export function answer(options: Partial<AnswerOptions> = {}): ScriptedAnswer {
  return chatAnswer({
    turn: { text: 'Hello there.' },
    counted: COUNTED,
    stream: false,
    ...options,
  });
}

/** The same as a stream of events. */
export function streamAnswer() {
  const script = answer({ stream: true });
  if (!('events' in script)) throw new TypeError('a streamed answer has events');
  return script;
}

/** What a request like `ask` holds: seen on an account of its own while its answer waits. */
export async function holdAmount(
  books: Books,
  upstream: ScriptedUpstream,
  url: string,
): Promise<bigint> {
  const { apiKey, accountId } = await books.newKey(1_000_000_000_000n);
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.enqueue({ ...answer(), when: promise });
  const asked = ask({ url, apiKey });
  const held = await eventually(async () => {
    const balance = await books.balance(accountId);
    if (balance.held === 0n) throw new Error('nothing is held yet');
    return balance.held;
  });
  resolve();
  await (await asked).text();
  await settled(books, accountId);
  return held;
}

/** Resolves when nothing of the account is held any more. */
export function settled(
  books: Books,
  accountId: string,
  withinMs = 15_000,
): Promise<AccountBalance> {
  return eventually(async () => {
    const balance = await books.balance(accountId);
    if (balance.held !== 0n) throw new Error(`still held: ${balance.held}`);
    return balance;
  }, withinMs);
}
