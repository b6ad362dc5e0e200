import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Chart, type ChartShape, chartOf } from './charts.ts';
import type { Result } from './duckdb.ts';
import { QUERY_NAMES, type Query, type QueryName } from './queries.ts';
import { escapeHtml, grouped, htmlTable, moneyParts, sumOf } from './table.ts';

/** A query with what it found. */
export interface Answer {
  readonly query: Query;
  readonly result: Result;
}

/** Everything that the page shows. */
export interface Report {
  readonly answers: Readonly<Record<QueryName, Answer>>;
  /** YYYY-MM-DD, both inclusive. */
  readonly days: { readonly first: string; readonly last: string };
  /** The table that was exported. */
  readonly table: string;
  /** Epoch milliseconds: everything booked before is in it. */
  readonly exportedMs: number;
}

const CHARTS: Readonly<Partial<Record<QueryName, ChartShape>>> = {
  'spend-by-day': { names: ['day'], values: ['spend_usd'], lying: false },
  'spend-by-model': { names: ['model', 'provider'], values: ['spend_usd'], lying: true },
  'spend-by-account': { names: ['account_id'], values: ['spend_usd'], lying: true },
  'spend-by-key': { names: ['key_id'], values: ['spend_usd'], lying: true },
  'tokens-by-model': {
    names: ['model'],
    values: ['plain_input_tokens', 'cached_tokens', 'cache_write_tokens', 'all_output_tokens'],
    lying: true,
  },
  'holds-and-charges': { names: ['model'], values: ['charged_usd', 'given_back_usd'], lying: true },
  balances: { names: ['account_id'], values: ['closing_usd'], lying: true },
};

/** Every table in which the period's spend is one column: they must agree. */
const SPEND_TABLES: readonly QueryName[] = [
  'spend-by-day',
  'spend-by-model',
  'spend-by-account',
  'spend-by-key',
  'balances',
  'provider-spend',
];

/** The sum of one column of an answer, as a decimal text. */
function columnSum({ result }: Answer, column: string): string {
  return sumOf(result.rows, result.columns.indexOf(column));
}

/**
 * One page of HTML that needs nothing else: style, script, numbers and the chart library are in it,
 * and it may load nothing. Throws an Error where two tables of the same spend differ.
 */
export async function reportPage(report: Report): Promise<string> {
  const spend = columnSum(report.answers.totals, 'spend_usd');
  for (const name of SPEND_TABLES) {
    const sum = columnSum(report.answers[name], 'spend_usd');
    if (sum !== spend) throw new Error(`${name} adds up to ${sum} USD, the ledger to ${spend} USD`);
  }
  const sections = QUERY_NAMES.filter((name) => name !== 'totals').map((name) =>
    section(name, report.answers[name]),
  );
  const charts = sections.flatMap(({ chart }) => (chart ? [chart] : []));
  return document(report, sections.map(({ html }) => html).join('\n'), await pageScript(charts));
}

function section(name: QueryName, { query, result }: Answer) {
  const shape = CHARTS[name];
  const chart = shape && chartOf(`chart-${name}`, query.title, result, shape);
  const title = escapeHtml(query.title);
  const canvas = chart
    ? `<div class="chart" style="height:${chartHeight(chart)}px"><canvas id="${chart.id}" role="img" aria-label="Chart: ${title}; the table below has the same numbers"></canvas></div>`
    : '';
  const html = `<section id="${name}">
<h2>${title}</h2>
<p>${escapeHtml(query.description)}</p>
${canvas}
${htmlTable(query.title, result)}
</section>`;
  return { html, chart };
}

function chartHeight({ lying, labels }: Chart): number {
  return lying ? 90 + 34 * labels.length : 280;
}

/** The chart library with the drawing code, and what to draw; nothing in it can end the element. */
async function pageScript(charts: readonly Chart[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page-charts.js')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    legalComments: 'inline',
  });
  const [bundle] = outputFiles;
  const data = JSON.stringify(charts).replaceAll('<', '\\u003c');
  return `globalThis.ledgerCharts=${data};${bundle?.text ?? ''}`.replaceAll(
    '</script',
    '<\\/script',
  );
}

function document(report: Report, sections: string, script: string): string {
  const { days, table, exportedMs } = report;
  const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tollgate ledger, ${days.first} to ${days.last}</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="brand">Tollgate</p>
<h1>Ledger report</h1>
<p class="period"><time datetime="${days.first}">${days.first}</time> to <time datetime="${days.last}">${days.last}</time>, both days included, in UTC</p>
</header>
<main>
${tiles(report)}
${navigation(report)}
${sections}
${glossary()}
</main>
<footer>
<p>From an export of the table ${escapeHtml(table)}, with everything that was booked before ${escapeHtml(new Date(exportedMs).toISOString())}. Amounts are US dollars, exact to the nano-dollar; the smaller digits come after the cents. The spend by day, model, account, key and provider was compared when this page was made: each adds up to the same total.</p>
</footer>
<script>${script}</script>
</body>
</html>
`;
}

function tiles({ answers }: Report): string {
  const money = (label: string, text: string) => {
    const { cents, rest } = moneyParts(text);
    return tile(label, `$${cents}<small>${rest}</small>`);
  };
  const total = (column: string) => columnSum(answers.totals, column);
  const all = [
    money('Spend', total('spend_usd')),
    tile('Requests', grouped(total('requests'))),
    money('Credits', total('credits_usd')),
    money('Balances at the end', columnSum(answers.balances, 'closing_usd')),
    money('Uncollected', total('uncollected_usd')),
    tile('Expired holds', grouped(total('expired_holds'))),
  ];
  return `<dl class="tiles">${all.join('')}</dl>`;
}

function tile(label: string, value: string): string {
  return `<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function navigation({ answers }: Report): string {
  const links = QUERY_NAMES.filter((name) => name !== 'totals').map(
    (name) => `<li><a href="#${name}">${escapeHtml(answers[name].query.title)}</a></li>`,
  );
  return `<nav aria-label="Tables"><ul>${links.join('')}</ul></nav>`;
}

const WORDS: Readonly<Record<string, string>> = {
  Request: 'One call of a model by a customer.',
  Spend: 'What finished requests took from accounts: their charges.',
  Hold: 'The most that a request can cost, set aside on the account before it is sent.',
  Charge:
    'What the request did cost by the provider’s count and the listed prices; never more than its hold.',
  'Given back': 'The rest of a hold after the charge.',
  Credit: 'Money put on an account; requests can only spend what is there.',
  Adjustment: 'A correction made by hand, with its reason; negative where money was taken.',
  'Expired hold': 'A hold whose request never ended; all of it was given back after half an hour.',
  Uncollected:
    'What a provider’s count exceeds the hold by: the provider bills it, no account paid it.',
  Token:
    'The unit in which models read (input) and write (output); about three quarters of an English word.',
  'Cached input': 'Input that the provider had read before and bills at a lower price.',
};

function glossary(): string {
  const entries = Object.entries(WORDS).map(
    ([word, meaning]) => `<div><dt>${word}</dt><dd>${meaning}</dd></div>`,
  );
  return `<section id="words"><h2>Words</h2><dl class="words">${entries.join('')}</dl></section>`;
}
