import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Browser,
  collectFaults,
  hasBrowser,
  skipWithoutBrowser,
  startBrowser,
} from '../support/browser.ts';
import { type RunningGateway, startGateway } from '../support/gateway.ts';

skipWithoutBrowser('the console in a browser');

const PATIENTLY = { timeout: 15_000 };

let gateway: RunningGateway;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  [gateway, browser] = await Promise.all([startGateway(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

async function openPage(path: string): Promise<{ page: Page; faults: readonly string[] }> {
  const page = await browser.context.newPage();
  const faults = collectFaults(page);
  await page.goto(`${gateway.url}${path}`);
  return { page, faults };
}

/** The names and values of a list of descriptions. */
function factsOf(page: Page, list: string): Promise<Record<string, string>> {
  return page.$$eval(`${list} > div`, (pairs) =>
    Object.fromEntries(
      pairs.map((pair) => [
        pair.querySelector('dt')?.textContent ?? '',
        pair.querySelector('dd')?.textContent ?? '',
      ]),
    ),
  );
}

describe('the console', () => {
  test.each(['chat/completions', 'responses'])(
    'streams an answer of %s, by the keyboard alone, and shows the entry that it made',
    async (route) => {
      const { page, faults } = await openPage('/');
      await page.selectOption('#route', route);
      await page.focus('#model');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('gpt-5.6-sol');
      await expect
        .poll(() => page.textContent('#prices'), PATIENTLY)
        .toMatch(/\$\d.*\$\d.*per million/);
      await page.focus('#prompt');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Is <b>this</b> inert?');
      await page.keyboard.press('Control+Enter');
      await page.waitForSelector('#entry dt');
      expect(await page.textContent('#answer')).toContain('Is <b>this</b> inert?');
      const entry = await factsOf(page, '#entry');
      expect(entry).toMatchObject({ kind: 'charge', modelRequested: 'gpt-5.6-sol' });
      const facts = await factsOf(page, '#facts');
      expect(facts).toMatchObject({
        Status: '200',
        'Input tokens': entry.inputTokens,
        'Output tokens': entry.outputTokens,
        Cost: `$${entry.amountUsd}`,
      });
      expect(facts['First byte']).toMatch(/^\d+ ms$/);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  test('says why a request was refused, and charges nothing', async () => {
    const { page } = await openPage('/');
    await page.fill('#model', 'no-such-model');
    await page.click('#send');
    await expect.poll(() => page.textContent('#answer'), PATIENTLY).toContain('no-such-model');
    expect(await page.textContent('#entry-note')).toContain('makes no entry');
    await page.close();
  });

  test('shows what happened in the last hour, and draws it', async () => {
    const { page, faults } = await openPage('/#activity');
    await expect
      .poll(async () => Number((await factsOf(page, '#totals')).Requests), PATIENTLY)
      .toBe(2);
    const blank = await page.$$eval('canvas', (canvases) =>
      canvases
        .map((canvas) => canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height))
        .filter((image) => !image?.data.some((value: number) => value > 0)),
    );
    expect(blank).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('follows the system into the dark', async () => {
    const { page } = await openPage('/');
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).not.toBe(light);
    await page.close();
  });
});

describe('the API reference', () => {
  test('draws every operation of openapi.json, with nothing from elsewhere', async () => {
    const page = await browser.context.newPage();
    const faults = collectFaults(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${gateway.url}/reference/`);
    await page.waitForSelector('.opblock');
    const paths = await page.$$eval('.opblock-summary-path', (found) =>
      found.map((path) => path.textContent?.replaceAll('\u200b', '')),
    );
    expect(paths).toEqual(
      expect.arrayContaining([
        '/v1/chat/completions',
        '/v1/responses',
        '/v1/models',
        '/v1/catalog',
      ]),
    );
    const elsewhere = asked.filter(
      (url) => !url.startsWith(gateway.url) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});

describe('what is not for others', () => {
  beforeEach(({ skip }) => {
    if (!hasBrowser) skip('no gateway was started');
  });

  test.each([
    ['a name that was made to point here', { host: 'evil.example' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ])('%s gets nothing', async (_, headers) => {
    const { request } = await import('undici');
    for (const path of ['/console/data/session', '/console/data/activity']) {
      const answer = await request(`${gateway.url}${path}`, { headers });
      expect(answer.statusCode).toBe(403);
      expect(await answer.body.text()).not.toContain(gateway.apiKey);
    }
  });

  test('another path, or another method, is the API: 404 in its own shape', async () => {
    for (const [path, method] of [
      ['/console', 'GET'],
      ['/', 'POST'],
    ] as const) {
      const answer = await fetch(`${gateway.url}${path}`, { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { type: expect.any(String) } });
    }
  });
});

test('npm run reference writes files that any host can serve', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-reference-'));
  const script = join(import.meta.dirname, '../../infra/console/write-reference.ts');
  await promisify(execFile)(process.execPath, [script, '--out', folder]);
  expect(readdirSync(folder)).toContain('openapi.json');
  expect(readdirSync(folder)).toContain('swagger-ui-bundle.js');
  rmSync(folder, { recursive: true });
});
