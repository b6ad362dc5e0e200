/**
 * Portkey's gateway in a process of its own: its published server, started as its own command does.
 * Words: the server's file and a free port.
 */

import { pathToFileURL } from 'node:url';
import { serveParent } from './child.ts';

const LOOKS = 200;
const PAUSE_MS = 50;

async function answers(url: string): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    try {
      await (await fetch(url)).text();
      return;
    } catch (error) {
      if (looks >= LOOKS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const [program = '', script = '', file = '', port = ''] = process.argv;
process.argv = [program, script, '--headless', `--port=${port}`];
await import(pathToFileURL(file).href);
const url = `http://127.0.0.1:${port}`;
await answers(url);
serveParent(url);
