import { registerHooks } from 'node:module';
import { MUTATIONS } from './list.ts';

/**
 * Breaks the ledger for whatever is imported afterwards. Call `assertApplied` once it is imported.
 * Throws where the mutation is unknown, or its text is not in the file exactly once.
 */
export function breakLedger(name: string): { assertApplied: () => void } {
  const mutation = MUTATIONS.find((known) => known.name === name);
  if (!mutation) throw new Error(`there is no mutation "${name}"`);
  const { file, find, replace } = mutation;
  let applied = false;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/shared/ledger/${file}`)) return loaded;
      const parts = textOf(loaded.source).split(find);
      if (parts.length !== 2) {
        throw new Error(`${name}: its text occurs ${parts.length - 1} times in ${file}`);
      }
      applied = true;
      return { ...loaded, source: parts.join(replace) };
    },
  });
  return {
    assertApplied() {
      if (!applied) throw new Error(`${name}: ${file} was never loaded`);
    },
  };
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray | undefined | null): string {
  if (typeof source === 'string') return source;
  if (source === undefined || source === null) throw new Error('a module without source');
  return new TextDecoder().decode(source);
}
