import { type Send, type StoreCommand, StoreFailure } from '../../shared/ledger/store.ts';

/** What happens to one command on its way. `lost-answer`: it is done, and nobody hears of it. */
export type Fate = 'pass' | 'throttled' | 'lost' | 'lost-answer' | 'crash';

/** The process is gone: nothing after this is done, and nothing catches it. */
class Crash extends Error {}

/** A way to the database on which a test decides the fate of each command, and sees them all. */
export function createFaultySend(
  send: Send,
  fateOf: (command: StoreCommand, index: number) => Fate = () => 'pass',
): Send & { readonly commands: StoreCommand[] } {
  const commands: StoreCommand[] = [];
  let crashed = false;
  const faulty: Send = async (command, timeoutMs) => {
    if (crashed) throw new Crash();
    const fate = fateOf(command, commands.push(command) - 1);
    switch (fate) {
      case 'pass':
        return send(command, timeoutMs);
      case 'throttled': {
        const cause = new Error('slow down');
        cause.name = 'ThrottlingException';
        throw new StoreFailure('no', cause);
      }
      case 'lost':
        throw new StoreFailure('unknown', new Error('lost on the way'));
      case 'lost-answer':
        await send(command, timeoutMs);
        throw new StoreFailure('unknown', new Error('the answer was lost'));
      case 'crash':
        crashed = true;
        throw new Crash();
    }
  };
  return Object.assign(faulty, { commands });
}

/** Whether a command changes an item. */
export function isWrite(command: StoreCommand): boolean {
  return command.operation !== 'get' && command.operation !== 'query';
}
