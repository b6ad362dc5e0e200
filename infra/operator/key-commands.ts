import {
  changeKeyLimits,
  createKey,
  DEFAULT_BURST,
  DEFAULT_RATE,
  type LimitChanges,
  listKeys,
  rotateKey,
  setKeyEnabled,
  showKey,
} from '../../shared/ledger/key-admin.ts';
import { isPeriod } from '../../shared/ledger/key-state.ts';
import type { RecurringPeriod } from '../../shared/ledger/types.ts';
import {
  type Arguments,
  readPositiveAmount,
  readRate,
  readTime,
  readWhole,
  UsageError,
} from './arguments.ts';
import type { Command } from './command.ts';
import { isoTime, keyJson } from './output.ts';

const LIMIT_OPTIONS = ['burst', 'rate', 'limit-lifetime', 'limit-recurring', 'period', 'expires'];
const LIMITS_USAGE =
  '[--burst N] [--rate N] [--limit-lifetime USD] [--limit-recurring USD --period day|week|month] [--expires ISO]';
const BURST = { from: 1, to: 1_000_000 };
const OVERLAP_MINUTES = { from: 0, to: 60 * 24 * 30 };
const DEFAULT_OVERLAP_MINUTES = '1440';
const MINUTE_MS = 60_000;
/** In `key limits`: takes a limit away. */
const NONE = 'none';

/** What operators do with keys, by the words of the command. */
export const KEY_COMMANDS: Readonly<Record<string, Command>> = {
  'key create': {
    usage: `--account ACCOUNT [--name NAME] ${LIMITS_USAGE}`,
    positionals: [],
    options: ['account', 'name', ...LIMIT_OPTIONS],
    async run({ context }, args) {
      const { lifetimeLimit, recurringLimit, expiresAtMs, burst, rate } = readLimits(args, false);
      const issued = await createKey(context, {
        accountId: args.required('account'),
        name: args.text('name') ?? '',
        burst: burst ?? DEFAULT_BURST,
        rate: rate ?? DEFAULT_RATE,
        ...(typeof lifetimeLimit === 'bigint' ? { lifetimeLimit } : {}),
        ...(recurringLimit ? { recurringLimit } : {}),
        ...(typeof expiresAtMs === 'number' ? { expiresAtMs } : {}),
      });
      return { keyId: issued.keyId, apiKey: issued.apiKey };
    },
  },
  'key show': {
    usage: 'KEY',
    positionals: ['KEY'],
    options: [],
    async run({ context }, args) {
      const state = await showKey(context, args.positional(0));
      const keys = await listKeys(context, state.record.accountId);
      const listed = keys.find(({ keyId }) => keyId === state.record.keyId);
      return keyJson(state, context.now(), listed);
    },
  },
  'key list': {
    usage: '--account ACCOUNT',
    positionals: [],
    options: ['account'],
    async run({ context }, args) {
      const keys = await listKeys(context, args.required('account'));
      return Promise.all(
        keys.map(async (listed) =>
          keyJson(await showKey(context, listed.keyId), context.now(), listed),
        ),
      );
    },
  },
  'key disable': switchCommand(false),
  'key enable': switchCommand(true),
  'key rotate': {
    usage: 'KEY [--overlap-minutes N]   (how long the old secret still works, default a day)',
    positionals: ['KEY'],
    options: ['overlap-minutes'],
    async run({ context }, args) {
      const text = args.text('overlap-minutes') ?? DEFAULT_OVERLAP_MINUTES;
      const overlapMs = readWhole(text, '--overlap-minutes', OVERLAP_MINUTES) * MINUTE_MS;
      const { keyId, apiKey } = await rotateKey(context, args.positional(0), overlapMs);
      return { keyId, apiKey, oldSecretEndsAt: isoTime(context.now() + overlapMs) };
    },
  },
  'key limits': {
    usage: `KEY ${LIMITS_USAGE}   ("none" takes a limit away)`,
    positionals: ['KEY'],
    options: LIMIT_OPTIONS,
    async run({ context }, args) {
      const limits = readLimits(args, true);
      if (Object.keys(limits).length === 0) throw new UsageError('name a limit to change');
      return keyJson(await changeKeyLimits(context, args.positional(0), limits), context.now());
    },
  },
};

function switchCommand(enabled: boolean): Command {
  return {
    usage: 'KEY',
    positionals: ['KEY'],
    options: [],
    async run({ context }, args) {
      return keyJson(await setKeyEnabled(context, args.positional(0), enabled), context.now());
    },
  };
}

function readLimits(args: Arguments, removable: boolean): LimitChanges {
  const read = <Result>(name: string, parse: (text: string, option: string) => Result) => {
    const text = args.text(name);
    if (text === undefined) return undefined;
    return removable && text === NONE ? null : parse(text, `--${name}`);
  };
  const kept = <Result>(name: string, parse: (text: string, option: string) => Result) => {
    const text = args.text(name);
    return text === undefined ? undefined : parse(text, `--${name}`);
  };
  const lifetimeLimit = read('limit-lifetime', readPositiveAmount);
  const recurring = read('limit-recurring', readPositiveAmount);
  const period = kept('period', readPeriod);
  const recurringLimit = recurringOf(recurring, period);
  const expiresAtMs = read('expires', readTime);
  const burst = kept('burst', (text, option) => readWhole(text, option, BURST));
  const rate = kept('rate', readRate);
  return {
    ...(lifetimeLimit === undefined ? {} : { lifetimeLimit }),
    ...(recurringLimit === undefined ? {} : { recurringLimit }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(burst === undefined ? {} : { burst }),
    ...(rate === undefined ? {} : { rate }),
  };
}

function recurringOf(amount: bigint | null | undefined, period: RecurringPeriod | undefined) {
  if (amount === undefined || amount === null) {
    if (period !== undefined) throw new UsageError('--period needs --limit-recurring');
    return amount;
  }
  if (period === undefined) throw new UsageError('--limit-recurring needs --period day|week|month');
  return { amount, period };
}

function readPeriod(text: string, name: string): RecurringPeriod {
  if (isPeriod(text)) return text;
  throw new UsageError(`${name} is "${text}": give day, week or month`);
}
