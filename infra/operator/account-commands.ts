import {
  adjustAccount,
  createAccount,
  creditAccount,
  listAccounts,
  readAccount,
  readAccountBalance,
} from '../../shared/ledger/accounts.ts';
import type { LedgerContext } from '../../shared/ledger/context.ts';
import type { WorkDone } from '../../shared/ledger/once.ts';
import { stripeAccount } from '../../shared/ledger/stripe-account.ts';
import type { Stripe } from '../../shared/ledger/stripes.ts';
import { MOST_STRIPES } from '../../shared/ledger/tables.ts';
import { formatUsd } from '../../shared/pricing/money.ts';
import { readAmount, readPositiveAmount, readWhole, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { entryJson, isoTime, type Json } from './output.ts';

const STRIPES = { from: 1, to: MOST_STRIPES };

/** What operators do with accounts, by the words of the command. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  'account create': {
    usage: '--name NAME [--credit USD] [--reference TEXT]',
    positionals: [],
    options: ['name', 'credit', 'reference'],
    async run({ context }, args) {
      const name = args.required('name');
      const credit = args.text('credit');
      const reference = args.text('reference');
      const amount = credit === undefined ? 0n : readAmount(credit, '--credit');
      if (amount < 0n) throw new UsageError('--credit cannot be negative');
      const { accountId } = await createAccount(context, name);
      const grant = { accountId, amount, ...(reference === undefined ? {} : { reference }) };
      if (amount > 0n) await creditAccount(context, grant);
      return accountJson(context, accountId);
    },
  },
  'account credit': {
    usage: 'ACCOUNT USD [--reference TEXT] [--reason TEXT]',
    positionals: ['ACCOUNT', 'USD'],
    options: ['reference', 'reason'],
    async run({ context }, args) {
      const accountId = args.positional(0);
      const amount = readPositiveAmount(args.positional(1), 'USD');
      const grant = { accountId, amount, ...notes(args) };
      return afterBooking(context, accountId, await creditAccount(context, grant));
    },
  },
  'account adjust': {
    usage: 'ACCOUNT USD --reason TEXT [--reference TEXT]   (USD may be negative)',
    positionals: ['ACCOUNT', 'USD'],
    options: ['reference', 'reason'],
    async run({ context }, args) {
      const accountId = args.positional(0);
      const amount = readAmount(args.positional(1), 'USD');
      if (amount === 0n) throw new UsageError('USD is 0: an adjustment changes something');
      const adjustment = { accountId, amount, ...notes(args), reason: args.required('reason') };
      return afterBooking(context, accountId, await adjustAccount(context, adjustment));
    },
  },
  'account stripe': {
    usage: `ACCOUNT --stripes N   (at most ${MOST_STRIPES})`,
    positionals: ['ACCOUNT'],
    options: ['stripes'],
    async run({ context }, args) {
      const stripes = readWhole(args.required('stripes'), '--stripes', STRIPES);
      const { accountId } = await stripeAccount(context, args.positional(0), stripes);
      return accountJson(context, accountId);
    },
  },
  'account show': {
    usage: 'ACCOUNT',
    positionals: ['ACCOUNT'],
    options: [],
    run: ({ context }, args) => accountJson(context, args.positional(0)),
  },
  'account list': {
    usage: '',
    positionals: [],
    options: [],
    async run({ context }) {
      const accounts = await listAccounts(context);
      return Promise.all(accounts.map(({ accountId }) => accountJson(context, accountId)));
    },
  },
};

function notes(args: { text(name: string): string | undefined }) {
  const reference = args.text('reference');
  const reason = args.text('reason');
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(reason === undefined ? {} : { reason }),
  };
}

async function afterBooking(
  context: LedgerContext,
  accountId: string,
  done: WorkDone,
): Promise<Json> {
  const account = await accountJson(context, accountId);
  return { ...account, repeated: done.repeated, entry: entryJson(done.row) };
}

/** An account as operators see it: what it may spend, what open holds keep, and their sum, in US dollars. */
async function accountJson(context: LedgerContext, accountId: string) {
  const account = await readAccount(context, accountId);
  const balance = await readAccountBalance(context, accountId);
  return {
    accountId,
    name: account.name,
    available: formatUsd(balance.available),
    held: formatUsd(balance.held),
    balance: formatUsd(balance.available + balance.held + balance.inTransfer),
    openHolds: balance.holds.size,
    stripes: balance.stripes.length,
    ...(balance.stripes.length > 1 ? { byStripe: balance.stripes.map(stripeJson) } : {}),
    createdAt: isoTime(account.createdAtMs),
  };
}

function stripeJson({ number, available, holds }: Stripe): Json {
  return { stripe: number, available: formatUsd(available), openHolds: holds.size };
}
