import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { beforeEach } from 'vitest';

const CHROMIUM_PATH = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

/** It keeps to itself: no sandbox (as root there is none), no updates, no calls to its maker. */
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Whether there is a Chromium for the tests of pages. */
export const hasBrowser = existsSync(CHROMIUM_PATH);

/** Call it at the top of a test file that needs a browser: without one its tests are skipped, loudly. */
export function skipWithoutBrowser(what: string): void {
  if (hasBrowser) return;
  const missing = `there is no Chromium at ${CHROMIUM_PATH} (set CHROMIUM_PATH)`;
  console.warn(`SKIPPED: ${what}, for ${missing}`);
  beforeEach(({ skip }) => skip(missing));
}

/** A headless Chromium with an empty profile of its own. */
export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'tollgate-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM_PATH,
    headless: true,
    args: CHROMIUM_ARGUMENTS,
    viewport: { width: 1280, height: 900 },
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Everything that a page says on its console at level error, and every exception that it throws. */
export function collectFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return faults;
}
