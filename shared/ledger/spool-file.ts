import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChargeSpool, readSpooledCharge, writeSpooledCharge } from './spool.ts';

const SUFFIX = '.charge.json';

/**
 * A spool of one file per charge in a folder (mode 0700, for the rows name customers).
 * Several processes may share it: handling a charge twice charges once.
 */
export function createFileSpool(folder: string): ChargeSpool {
  return {
    async add(charge) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${charge.hold.requestId}${SUFFIX}`;
      await writeDurably(folder, name, writeSpooledCharge(charge));
    },
    async drain(handle) {
      const names = (await namesIn(folder)).filter((name) => name.endsWith(SUFFIX));
      let left = 0;
      for (const name of names) {
        const done = await drainOne(join(folder, name), handle);
        if (!done) left += 1;
      }
      return left;
    },
  };
}

async function drainOne(
  path: string,
  handle: Parameters<ChargeSpool['drain']>[0],
): Promise<boolean> {
  try {
    await handle(readSpooledCharge(await readFile(path, 'utf8')));
    await rm(path, { force: true });
    return true;
  } catch {
    return false; // waits for the next drain; the count returned tells of it
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // nothing was ever spooled
  }
}

/** A reader sees the whole file or none, also after a power cut. */
async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(folder);
}

/** The new name itself must be on the disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
