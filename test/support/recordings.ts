import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A provider's answer from a file pair: `*.json` whole, `*.chunks.txt` one event's JSON a line. */
export interface Recording {
  readonly name: string;
  readonly events: readonly string[];
  readonly body: string | undefined;
}

export const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
/** What real providers sent; lies beside the project and may be absent. */
export const RECORDINGS = fileURLToPath(new URL('../../../shared/recordings/', import.meta.url));

/** Every recording of a folder; none where the folder is absent. */
export function recordingsIn(folder: string): Recording[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.chunks.txt'))
    .map((file) => {
      const name = file.slice(0, -'.chunks.txt'.length);
      const whole = `${folder}/${name}.json`;
      const lines = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
      return {
        name,
        events: lines.filter((line) => line !== ''),
        body: existsSync(whole) ? readFileSync(whole, 'utf8') : undefined,
      };
    });
}
