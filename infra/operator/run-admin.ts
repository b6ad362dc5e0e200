import { join } from 'node:path';
import { createDynamoDbClient, createDynamoDbSend } from '../../shared/ledger/dynamodb.ts';
import { createLedger } from '../../shared/ledger/ledger.ts';
import { Refusal } from '../../shared/ledger/once.ts';
import { createFileSpool } from '../../shared/ledger/spool-file.ts';
import { StoreFailure } from '../../shared/ledger/store.ts';
import { LOCAL_TABLES, tableNames } from '../../shared/ledger/tables.ts';
import { createTables } from '../local/create-tables.ts';
import { DATABASE_PORT, readDataFolder } from '../local/settings.ts';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { type Arguments, readArguments, UsageError } from './arguments.ts';
import type { Command, CommandWorld } from './command.ts';
import { helpFor } from './help.ts';
import { KEY_COMMANDS } from './key-commands.ts';
import { LEDGER_COMMANDS } from './ledger-commands.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  ...ACCOUNT_COMMANDS,
  ...KEY_COMMANDS,
  ...LEDGER_COMMANDS,
};

/** What a command leaves: text for one of the two streams, and the exit code. */
export interface AdminResult {
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one command: a JSON document on stdout, or one line on stderr. Exit code 2: asked wrongly;
 * 1: it failed, or `ledger verify` found a difference. Never throws.
 */
export async function runAdmin(
  words: readonly string[],
  environment: Environment,
): Promise<AdminResult> {
  if (words.includes('--help') || words.includes('-h')) {
    return { code: 0, stdout: helpFor(words, COMMANDS), stderr: '' };
  }
  try {
    const [group, verb, ...rest] = words;
    const command = COMMANDS[`${group} ${verb}`];
    if (!command) throw new UsageError(unknownCommand(words));
    const args = readArguments(rest, command);
    const { world, close } = await openWorld(args, environment);
    const output = await command.run(world, args).finally(close);
    const stdout = JSON.stringify(output, null, 2);
    return { code: command.failed?.(output) ? 1 : 0, stdout, stderr: '' };
  } catch (error) {
    const wrong = error instanceof UsageError || error instanceof Refusal;
    return { code: wrong ? 2 : 1, stdout: '', stderr: lineFor(error) };
  }
}

async function openWorld(
  args: Arguments,
  environment: Environment,
): Promise<{ world: CommandWorld; close: () => void }> {
  const { client, tables, local } = await openTables(args, environment);
  const spool = local ? { spool: createFileSpool(join(readDataFolder(environment), 'spool')) } : {};
  const ledger = createLedger({ send: createDynamoDbSend(client), tables, ...spool });
  return { world: { ledger, context: ledger.context }, close: () => client.destroy() };
}

/**
 * The local database with its tables made, or with `--env` the tables of an environment on AWS.
 * Throws UsageError; an error of the client where no database answers.
 */
export async function openTables(args: Arguments, environment: Environment) {
  const name = args.text('env');
  const region = args.text('region');
  if (name === undefined && region !== undefined) {
    throw new UsageError('--region needs --env');
  }
  const local = name === undefined;
  const client = createDynamoDbClient(
    local
      ? { endpoint: localEndpoint(environment) }
      : { ...(region === undefined ? {} : { region }) },
  );
  const tables = local ? LOCAL_TABLES : tableNames(name);
  if (local) await createTables(client, tables);
  return { client, tables, local };
}

function localEndpoint(environment: Environment): string {
  const { DYNAMODB_ENDPOINT, DYNAMODB_PORT } = environment;
  const endpoint = DYNAMODB_ENDPOINT || `http://127.0.0.1:${DYNAMODB_PORT || DATABASE_PORT}`;
  if (URL.canParse(endpoint)) return endpoint;
  throw new UsageError(`DYNAMODB_ENDPOINT or DYNAMODB_PORT makes no address: "${endpoint}"`);
}

function unknownCommand(words: readonly string[]): string {
  const names = Object.keys(COMMANDS).join(', ');
  return words.length === 0
    ? `name a command: ${names}`
    : `there is no command "${words.slice(0, 2).join(' ')}": use one of ${names}`;
}

/** One line, whatever went wrong. */
export function lineFor(error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : '';
  const unreachable =
    error instanceof StoreFailure || /ECONN|ENOTFOUND|timeout/i.test(`${message}${code}`);
  const what = unreachable ? 'the database does not answer (is it running?): ' : '';
  return `${what}${message || code}`.replaceAll(/\s*\n\s*/g, ' ');
}
