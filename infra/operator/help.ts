import type { Command } from './command.ts';

/** What `--help` says of one command beyond its usage. */
interface Details {
  readonly does: string;
  readonly example: string;
}

const DETAILS: Readonly<Record<string, Details>> = {
  'account create': {
    does: 'Makes an account, with a first credit if you like, and shows it.',
    example: 'account create --name "Research" --credit 25.00 --reference order-1001',
  },
  'account credit': {
    does: 'Adds money to an account. The same --reference again adds nothing a second time.',
    example: 'account credit acc_... 100.00 --reference order-1002',
  },
  'account adjust': {
    does: 'Corrects a balance, up or down, with the reason in the ledger. It never goes below zero.',
    example: 'account adjust acc_... -3.50 --reason "refund of invoice 77"',
  },
  'account stripe': {
    does: 'Lays the balance of a busy account on several items, while requests go on. The number only rises.',
    example: 'account stripe acc_... --stripes 16',
  },
  'account show': {
    does: 'Shows what an account has available, what its open holds keep, and their sum.',
    example: 'account show acc_...',
  },
  'account list': { does: 'Lists every account with its balance.', example: 'account list' },
  'key create': {
    does: 'Makes an API key. Its secret is printed once and never again; only its hash is kept.',
    example: 'key create --account acc_... --name web --rate 5 --burst 20 --limit-lifetime 10.00',
  },
  'key show': {
    does: 'Shows a key: its limits, what is left of them, and whether it is enabled.',
    example: 'key show key_...',
  },
  'key list': { does: 'Lists the keys of an account.', example: 'key list --account acc_...' },
  'key disable': {
    does: 'Refuses the key from its next request on. Running requests finish and are charged.',
    example: 'key disable key_...',
  },
  'key enable': { does: 'Lets a disabled key work again.', example: 'key enable key_...' },
  'key rotate': {
    does: 'Gives the key a new secret. The old one works on for a while, so that nothing breaks.',
    example: 'key rotate key_... --overlap-minutes 60',
  },
  'key limits': {
    does: 'Changes limits from the next request on; what is not named stays as it is.',
    example: 'key limits key_... --limit-recurring 50.00 --period month',
  },
  'holds sweep': {
    does: 'Expires holds whose time is up and finishes what was begun: what runs every minute by itself.',
    example: 'holds sweep',
  },
  'holds list': {
    does: 'Lists open holds, which are requests under way or waiting for the sweep.',
    example: 'holds list --account acc_...',
  },
  'ledger list': {
    does: 'Lists the ledger entries of an account, oldest first.',
    example: 'ledger list --account acc_... --from 2026-11-01 --to 2026-12-01',
  },
  'ledger verify': {
    does: 'Recomputes every balance and every key from the ledger, and names what is off.',
    example: 'ledger verify',
  },
};

const OPTIONS: Readonly<Record<string, string>> = {
  account: 'The account, as account create or account list names it.',
  at: 'A time as 2026-11-21T10:00:00Z, in place of now.',
  burst: 'Requests that may come at once before the rate holds them back.',
  credit: 'US dollars, with up to nine decimals.',
  expires: 'When the key ends: a time as 2026-12-31T23:59:59Z, or none.',
  from: 'The first time that is listed: a date, or a time.',
  'limit-lifetime': 'US dollars that the key may spend in all, or none.',
  'limit-recurring': 'US dollars that the key may spend in each period, or none.',
  name: 'A name for people.',
  'overlap-minutes': 'How long the old secret still works. Without it: a day.',
  period: 'day, week or month, in UTC.',
  rate: 'Requests a second, over time.',
  reason: 'Why, for the ledger.',
  reference: 'Your own name for the booking: booked once, however often it is sent.',
  stripes: 'On how many items the balance lies: one for each hundred requests under way.',
  to: 'The first time that is no longer listed.',
};

const PLACES = `Works on the local database (DYNAMODB_ENDPOINT, or DYNAMODB_PORT on this machine);
with --env NAME [--region REGION] on the tables of that environment on AWS.`;

type Commands = Readonly<Record<string, Command>>;

/**
 * The help for what stands beside `--help`: of one command (`key create`), of a group (`key`), or
 * of everything.
 */
export function helpFor(words: readonly string[], commands: Commands): string {
  const [group, verb] = words.filter((word) => !word.startsWith('-'));
  const name = `${group} ${verb}`;
  const command = commands[name];
  if (command !== undefined) return commandHelp(name, command);
  const ofGroup = Object.entries(commands).filter(([known]) => known.startsWith(`${group} `));
  return overview(ofGroup.length > 0 ? ofGroup : Object.entries(commands));
}

function overview(commands: readonly (readonly [string, Command])[]): string {
  const lines = commands.map(([name, { usage }]) => `  ${name} ${usage}`.trimEnd());
  return [
    'Usage: npm run --silent admin -- COMMAND [ARGUMENTS] [--env NAME [--region REGION]]',
    '',
    `${PLACES} Amounts are US dollars.`,
    'COMMAND --help tells more of one command.',
    '',
    ...lines,
  ].join('\n');
}

function commandHelp(name: string, { usage, options }: Command): string {
  const details = DETAILS[name];
  const width = Math.max(0, ...options.map((option) => option.length));
  const lines = options.map((option) => `  --${option.padEnd(width)}  ${OPTIONS[option] ?? ''}`);
  return [
    `Usage: npm run --silent admin -- ${name} ${usage}`.trimEnd(),
    '',
    ...(details === undefined ? [] : [details.does, '']),
    ...(lines.length === 0 ? [] : [...lines, '']),
    ...(details === undefined ? [] : [`Example: npm run --silent admin -- ${details.example}`, '']),
    PLACES,
  ].join('\n');
}
