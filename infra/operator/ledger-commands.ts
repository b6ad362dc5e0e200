import { listAccounts, readAccount, readAccountBalance } from '../../shared/ledger/accounts.ts';
import type { LedgerContext } from '../../shared/ledger/context.ts';
import { listEntries } from '../../shared/ledger/list-entries.ts';
import { mintedAtMs } from '../../shared/ledger/request-id.ts';
import { holdExpiryMs } from '../../shared/ledger/tables.ts';
import { formatUsd } from '../../shared/pricing/money.ts';
import { differenceFields } from '../../shared/telemetry/verify-log.ts';
import { type Arguments, readTime, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { entryJson, isoTime, type Json } from './output.ts';

const END_OF_TIME_MS = Date.UTC(9999, 11, 31);

/** What operators do with holds and ledger entries, by the words of the command. */
export const LEDGER_COMMANDS: Readonly<Record<string, Command>> = {
  'holds sweep': {
    usage: '[--at ISO]   (as if it were that time)',
    positionals: [],
    options: ['at'],
    async run({ ledger, context }, args) {
      const at = args.text('at');
      const options = at === undefined ? {} : { atMs: readTime(at, '--at') };
      const report = await ledger.sweepHolds(options);
      return {
        at: isoTime(options.atMs ?? context.now()),
        expired: report.expired.length,
        reapplied: report.reapplied.length,
        left: report.left,
        drained: report.drained,
        uncollectedUsd: formatUsd(report.uncollected),
        lagMinutes: report.lagMinutes,
        expiredRequestIds: report.expired,
        reappliedRequestIds: report.reapplied,
      };
    },
  },
  'holds list': {
    usage: '[--account ACCOUNT]',
    positionals: [],
    options: ['account'],
    async run({ context }, args) {
      const accountId = args.text('account');
      const accounts =
        accountId === undefined
          ? await listAccounts(context)
          : [await readAccount(context, accountId)];
      const holds = await Promise.all(
        accounts.map((account) => openHolds(context, account.accountId)),
      );
      return holds.flat();
    },
  },
  'ledger list': {
    usage: '--account ACCOUNT [--from ISO] [--to ISO]',
    positionals: [],
    options: ['account', 'from', 'to'],
    async run({ context }, args) {
      const { accountId } = await readAccount(context, args.required('account'));
      return (await listEntries(context, accountId, readRange(args))).map(entryJson);
    },
  },
  'ledger verify': {
    usage: '[--account ACCOUNT]   (exit 1 when a balance is off)',
    positionals: [],
    options: ['account'],
    async run({ ledger }, args) {
      const { accounts, entries, differences } = await ledger.verifyLedger(args.text('account'));
      return {
        ok: differences.length === 0,
        accounts,
        entries,
        differences: differences.map(differenceFields),
      };
    },
    failed: (output) =>
      typeof output === 'object' && output !== null && 'ok' in output && !output.ok,
  },
};

function readRange(args: Arguments) {
  const from = args.text('from');
  const to = args.text('to');
  if (from === undefined && to === undefined) return undefined;
  const fromMs = from === undefined ? 0 : readTime(from, '--from');
  const toMs = to === undefined ? END_OF_TIME_MS : readTime(to, '--to');
  if (fromMs > toMs) throw new UsageError('--from is later than --to');
  return { fromMs, toMs };
}

async function openHolds(context: LedgerContext, accountId: string): Promise<Json[]> {
  const { holds } = await readAccountBalance(context, accountId);
  return [...holds].map(([requestId, amount]) => ({
    requestId,
    accountId,
    amountUsd: formatUsd(amount),
    placedAt: isoTime(mintedAtMs(requestId)),
    expiresAt: isoTime(holdExpiryMs(requestId)),
  }));
}
