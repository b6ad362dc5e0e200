import { UsageError } from '../operator/arguments.ts';
import { type AdminResult, type Environment, lineFor } from '../operator/run-admin.ts';

/** What a command of finance needs of the world around it. */
interface FinanceWorld {
  readonly environment: Environment;
  /** What is going on, for a person who waits. */
  readonly progress: (text: string) => void;
}

/** One command: returns what it prints. Throws UsageError for what was asked wrongly. */
export interface FinanceCommand {
  readonly help: string;
  run(words: readonly string[], world: FinanceWorld): Promise<string>;
}

/** Clears the line that it is written on. */
const LINE_START = '\r\u001b[K';

/**
 * Runs a command: its text for stdout, or one line for stderr. Exit code 2: asked wrongly; 1: it
 * failed. Never throws.
 */
export async function runFinance(
  command: FinanceCommand,
  words: readonly string[],
  world: FinanceWorld,
): Promise<AdminResult> {
  if (words.includes('--help') || words.includes('-h')) {
    return { code: 0, stdout: command.help, stderr: '' };
  }
  try {
    return { code: 0, stdout: await command.run(words, world), stderr: '' };
  } catch (error) {
    return { code: error instanceof UsageError ? 2 : 1, stdout: '', stderr: lineFor(error) };
  }
}

/** Runs a command with this process's arguments, and leaves its exit code. */
export async function runProcess(command: FinanceCommand): Promise<void> {
  const progress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`${LINE_START}${text}`);
  };
  const world = { environment: process.env, progress };
  const { code, stdout, stderr } = await runFinance(command, process.argv.slice(2), world);
  progress('');
  if (stdout !== '') console.log(stdout);
  if (stderr !== '') console.error(stderr);
  process.exitCode = code;
}
