import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, creditAccount } from '../../shared/ledger/accounts.ts';
import type { LedgerContext } from '../../shared/ledger/context.ts';
import {
  createKey,
  DEFAULT_BURST,
  DEFAULT_RATE,
  type IssuedKey,
  showKey,
} from '../../shared/ledger/key-admin.ts';
import { Refusal } from '../../shared/ledger/once.ts';
import { parseUsd } from '../../shared/pricing/money.ts';
import { writeOnce } from './write-once.ts';

const DEMO_CREDIT = parseUsd('1000.00');

/**
 * Makes the demo account and key once for a data folder, and returns the key's secret, which is
 * kept there. Their IDs and the secret come from a seed that is written first: a start that was
 * cut short, or two at once, end up with the very same account.
 */
export async function ensureDemoKey(context: LedgerContext, dataFolder: string): Promise<string> {
  const keyFile = join(dataFolder, 'demo-key.json');
  const known = existsSync(keyFile) ? readIssuedKey(keyFile) : undefined;
  if (known && (await exists(context, known.keyId))) return known.apiKey;
  const seedFile = join(dataFolder, 'demo.seed');
  if (!existsSync(seedFile)) writeOnce(seedFile, randomBytes(32).toString('hex'));
  const issued = await makeDemoKey({ ...context, randomBytes: seeded(readFileSync(seedFile)) });
  writeOnce(keyFile, `${JSON.stringify(issued, null, 2)}\n`);
  return issued.apiKey;
}

async function makeDemoKey(context: LedgerContext): Promise<IssuedKey> {
  const { accountId } = await createAccount(context, 'demo');
  await creditAccount(context, { accountId, amount: DEMO_CREDIT, reference: 'demo' });
  const settings = { accountId, name: 'demo', burst: DEFAULT_BURST, rate: DEFAULT_RATE };
  return createKey(context, settings);
}

async function exists(context: LedgerContext, keyId: string): Promise<boolean> {
  try {
    await showKey(context, keyId);
    return true;
  } catch (error) {
    // The folder outlived its database: the same account is made again.
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function readIssuedKey(path: string): IssuedKey {
  // Only this file's writer above ever writes it.
  return JSON.parse(readFileSync(path, 'utf8')) as IssuedKey;
}

/** Bytes that look random and are the same for the same seed, in the order in which they are asked for. */
function seeded(seed: Buffer): (size: number) => Uint8Array {
  let asked = 0;
  return (size) => {
    asked += 1;
    return createHash('shake256', { outputLength: size }).update(seed).update(`${asked}`).digest();
  };
}
