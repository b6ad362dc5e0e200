import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REFERENCE_FILES } from './assets.ts';

const USAGE = 'Usage: npm run reference -- --out FOLDER';

/** `npm run reference`: the API reference as static files, for any host. */
async function writeReference(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, load] of Object.entries(REFERENCE_FILES)) {
    await writeFile(join(folder, name), (await load()).content);
  }
  console.log(`The API reference is in ${folder}: open index.html from any web server.`);
}

function readOut(): string | undefined {
  try {
    return parseArgs({ options: { out: { type: 'string' } } }).values.out;
  } catch {
    return undefined;
  }
}

const out = readOut();
if (out === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  await writeReference(out);
}
