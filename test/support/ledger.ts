import { createAccount, creditAccount } from '../../shared/ledger/accounts.ts';
import { createKey, type KeySettings } from '../../shared/ledger/key-admin.ts';
import { createLedger, type Ledger, type LedgerOptions } from '../../shared/ledger/ledger.ts';
import type { ChargeDetails, KeyRecord } from '../../shared/ledger/types.ts';
import type { TestDatabase } from './database.ts';

/** Clocks that a test moves by hand; the monotonic one goes along, a step moves the first alone. */
export interface TestClock {
  now(): number;
  monotonicNow(): number;
  advance(ms: number): void;
  step(ms: number): void;
}

export function createTestClock(startMs = Date.UTC(2026, 10, 18, 12)): TestClock {
  const base = performance.now();
  let advanced = 0;
  let stepped = 0;
  const passed = () => performance.now() - base + advanced;
  return {
    now: () => Math.floor(startMs + passed() + stepped),
    monotonicNow: passed,
    advance: (ms) => {
      advanced += ms;
    },
    step: (ms) => {
      stepped += ms;
    },
  };
}

export function openLedger(database: TestDatabase, options: Partial<LedgerOptions> = {}): Ledger {
  return createLedger({ send: database.send, tables: database.tables, ...options });
}

export interface FundedKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly key: KeyRecord;
}

/** An account with credit, and a key of it whose bucket never is what refuses. */
export async function fundedKey(
  ledger: Ledger,
  credit: bigint,
  settings: Partial<KeySettings> = {},
): Promise<FundedKey> {
  const { context } = ledger;
  const { accountId } = await createAccount(context, 'test');
  if (credit > 0n) await creditAccount(context, { accountId, amount: credit });
  const { keyId, apiKey } = await createKey(context, {
    accountId,
    name: 'test',
    burst: 10_000,
    rate: '1000',
    ...settings,
  });
  return { accountId, keyId, apiKey, key: await ledger.authenticateKey(apiKey) };
}

export const DETAILS: ChargeDetails = {
  route: 'chat-completions',
  modelRequested: 'gpt-5.2',
  model: 'gpt-5.2',
  deployment: 'openai-gpt-5.2',
  provider: 'openai',
  usage: { input_tokens: 1_200, cached_input_tokens: 800, output_tokens: 345 },
  reasoningTokens: 120,
  prices: { input_tokens: '1.75', cached_input_tokens: '0.175', output_tokens: '14.00' },
  estimated: false,
  status: 'completed',
  metadata: { tenant: 'acme', feature: 'search' },
  startedAtMs: Date.UTC(2026, 10, 18, 12),
  finishedAtMs: Date.UTC(2026, 10, 18, 12, 0, 7),
};
