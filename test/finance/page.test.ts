import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportLedger } from '../../infra/finance/export-ledger.ts';
import { reportLedger } from '../../infra/finance/report-ledger.ts';
import { createTables } from '../../infra/local/create-tables.ts';
import { LOCAL_TABLES } from '../../shared/ledger/tables.ts';
import {
  type Browser,
  collectFaults,
  hasBrowser,
  skipWithoutBrowser,
  startBrowser,
} from '../support/browser.ts';
import { startTestDatabase } from '../support/database.ts';
import { finance } from '../support/ledger-export.ts';
import { bookSampleLedger, HOSTILE } from '../support/sample-ledger.ts';

skipWithoutBrowser('the page of ledger:report in a browser');

const CHARTS = 7;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-page-'));
const file = join(folder, 'report.html');
let browser: Browser;
let page: Page;
let faults: readonly string[];
const requested: string[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  const database = await startTestDatabase();
  await createTables(database.client, LOCAL_TABLES);
  await bookSampleLedger(database);
  const exported = join(folder, 'exported');
  await finance(exportLedger, database.endpoint, '--out', exported);
  const done = await finance(reportLedger, '', '--from', exported, '--out', file);
  await database.stop();
  expect(done).toMatchObject({ code: 0 });
  browser = await startBrowser();
  page = await browser.context.newPage();
  faults = collectFaults(page);
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(pathToFileURL(file).href);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** For each canvas how many of its pixels are drawn, and in the bars' colour by day and by night. */
function drawings(): Promise<{ id: string; drawn: number; day: number; night: number }[]> {
  return page.$$eval('canvas', (canvases) =>
    canvases.map((canvas) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      const counts = { id: canvas.id, drawn: 0, day: 0, night: 0 };
      for (let at = 0; at < pixels.length; at += 4) {
        const colour = `${pixels[at]} ${pixels[at + 1]} ${pixels[at + 2]}`;
        if (pixels[at + 3] !== 255) continue;
        counts.drawn += 1;
        if (colour === '37 99 235') counts.day += 1;
        if (colour === '106 160 255') counts.night += 1;
      }
      return counts;
    }),
  );
}

describe('the page of ledger:report', () => {
  test('draws every chart and asks the network for nothing', async () => {
    const charts = await drawings();
    expect(charts).toHaveLength(CHARTS);
    for (const { id, drawn } of charts) {
      expect({ id, drawn: drawn > 1_000 }).toEqual({ id, drawn: true });
    }
    expect(requested).toEqual([pathToFileURL(file).href]);
    expect(faults).toEqual([]);
  });

  test('shows sums that its own rows add up to', async () => {
    const tables = await page.$$eval('table', (found) =>
      found.map((table) => {
        const textsOf = (part: string) =>
          [...table.querySelectorAll(part)].map((row) =>
            [...row.children].map((cell) => cell.textContent ?? ''),
          );
        return {
          caption: table.querySelector('caption')?.textContent,
          rows: textsOf('tbody tr'),
          sums: textsOf('tfoot tr').flat(),
        };
      }),
    );
    expect(tables.map(({ caption }) => caption)).toContain('Spend by key');
    const nano = (text: string) => {
      const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
      return BigInt(`${whole}${fraction.padEnd(9, '0')}`);
    };
    let compared = 0;
    for (const { caption, rows, sums } of tables) {
      for (const [column, sum] of sums.entries()) {
        if (column === 0 || sum === '') continue;
        const total = rows.reduce((so, row) => so + nano(row[column] ?? '0'), 0n);
        expect({ caption, column, total }).toEqual({ caption, column, total: nano(sum) });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(30);
  });

  test('runs nothing that a client or an operator wrote', async () => {
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByRole('cell', { name: HOSTILE }).count()).toBeGreaterThan(0);
  });

  test('can be read without seeing it', async () => {
    const nameless = await page.$$eval('canvas, .scroll, nav', (elements) =>
      elements.filter((element) => !element.getAttribute('aria-label')).map(({ id }) => id),
    );
    expect(nameless).toEqual([]);
    const headless = await page.$$eval('table', (tables) =>
      tables.filter(
        (table) =>
          !table.caption?.textContent ||
          table.querySelectorAll('th:not([scope])').length > 0 ||
          [...table.querySelectorAll('tbody tr')].some((row) => !row.querySelector('th')),
      ),
    );
    expect(headless).toHaveLength(0);
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });

  test('is dark on a dark screen, and light on paper all the same', async () => {
    const look = async () => {
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      const charts = await drawings();
      const day = charts.every((chart) => chart.day > 0 && chart.night === 0);
      const night = charts.every((chart) => chart.night > 0 && chart.day === 0);
      return { paper, day, night };
    };
    const light = { paper: 'rgb(255, 255, 255)', day: true, night: false };
    expect(await look()).toEqual(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(look).toEqual({ paper: 'rgb(21, 23, 28)', day: false, night: true });
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    await expect.poll(look).toEqual(light);
    expect(faults).toEqual([]);
  });

  test('fits a small screen: only tables are wider, and they scroll by themselves', async () => {
    await page.emulateMedia({ colorScheme: null, media: null });
    await page.setViewportSize({ width: 390, height: 800 });
    const tooWide = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(tooWide)).toBe(false);
  });
});
