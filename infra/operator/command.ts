import type { LedgerContext } from '../../shared/ledger/context.ts';
import type { Ledger } from '../../shared/ledger/ledger.ts';
import type { Arguments, CommandShape } from './arguments.ts';
import type { Json } from './output.ts';

export interface CommandWorld {
  readonly ledger: Ledger;
  readonly context: LedgerContext;
}

/** One command of the operator: returns the JSON document that it prints. */
export interface Command extends CommandShape {
  /** What follows the command's name, for the help. */
  readonly usage: string;
  /** Throws UsageError or Refusal for what was asked wrongly. */
  run(world: CommandWorld, args: Arguments): Promise<Json>;
  /** Whether what it printed means failure: exit 1. */
  failed?(output: Json): boolean;
}
