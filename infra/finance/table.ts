import type { Cell, Result } from './duckdb.ts';

/** Decimal places of a US dollar in the ledger. */
const NANO_DIGITS = 9;
const CENT_DIGITS = 2;
/** More would make the page slow; the sums below a table are always of all rows. */
const MOST_ROWS = 500;

type Meaning = 'money' | 'whole' | 'percent' | 'text';

/** Words for the columns whose name alone does not say it. */
const LABELS: Readonly<Record<string, string>> = {
  account_id: 'Account',
  key_id: 'API key',
  request_id: 'Request',
  day: 'Day (UTC)',
  all_input_tokens: 'Input tokens',
  all_output_tokens: 'Output tokens',
  of_these_reasoning_tokens: 'of these reasoning',
  of_these_estimated: 'of these estimated',
  share_charged_percent: 'Share charged',
  invoice_usd: 'Expected invoice (USD)',
  meter: 'Charged for',
  units: 'Quantity',
  price_usd: 'Price (USD)',
  price_for: 'Price for one',
};

/** Columns whose texts may be long. */
const WORDY = new Set(['account_id', 'model', 'deployment', 'reason', 'reference']);

/** Columns that only look like sums. */
const NOT_SUMMED = new Set(['price_usd']);

/** Makes any text safe inside HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** What a column is called on the page. */
export function labelOf(column: string): string {
  const known = LABELS[column];
  if (known !== undefined) return known;
  const words = column
    .replace(/_usd$/, ' (USD)')
    .replace(/_percent$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function meaningOf(column: string): Meaning {
  if (column.endsWith('_usd')) return 'money';
  if (column.endsWith('_percent')) return 'percent';
  return /(^|_)(requests|tokens|units|holds|accounts|estimated)$/.test(column) ? 'whole' : 'text';
}

/** A result as an accessible table with a row of sums; an empty one as a sentence. */
export function htmlTable(caption: string, { columns, rows }: Result): string {
  if (rows.length === 0) return '<p class="empty">Nothing in this period.</p>';
  const head = columns.map(
    (column) => `<th scope="col"${alignment(column)}>${escapeHtml(labelOf(column))}</th>`,
  );
  const body = rows.slice(0, MOST_ROWS).map((row) => bodyRow(columns, row));
  const hidden = rows.length - MOST_ROWS;
  const note =
    hidden > 0
      ? `<p class="note">${rows.length} rows; the first ${MOST_ROWS} are shown. The sums are of all.</p>`
      : '';
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}">
<table><caption>${escapeHtml(caption)}</caption>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
${sumRow(columns, rows)}
</table></div>${note}`;
}

function bodyRow(columns: readonly string[], row: readonly Cell[]): string {
  const cells = columns.map((column, index) => {
    const text = formatCell(column, row[index] ?? null);
    return index === 0
      ? `<th scope="row"${alignment(column)}>${text}</th>`
      : `<td${alignment(column)}>${text}</td>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}

function sumRow(columns: readonly string[], rows: Result['rows']): string {
  const summed = columns.map((column) => isSummed(column));
  if (!summed.includes(true)) return '';
  const cells = columns.map((column, index) => {
    if (index === 0) return '<th scope="row">Sum</th>';
    return summed[index]
      ? `<td${alignment(column)}>${formatCell(column, sumOf(rows, index))}</td>`
      : '<td></td>';
  });
  return `<tfoot><tr>${cells.join('')}</tr></tfoot>`;
}

function isSummed(column: string): boolean {
  const meaning = meaningOf(column);
  return (meaning === 'money' || meaning === 'whole') && !NOT_SUMMED.has(column);
}

/** Exact sum of one column's decimal texts, as a decimal text. */
export function sumOf(rows: Result['rows'], index: number): string {
  let nano = 0n;
  for (const row of rows) nano += readNano(row[index] ?? '0');
  const sign = nano < 0n ? '-' : '';
  const digits = (nano < 0n ? -nano : nano).toString().padStart(NANO_DIGITS + 1, '0');
  const fraction = digits.slice(-NANO_DIGITS);
  return `${sign}${digits.slice(0, -NANO_DIGITS)}${/^0+$/.test(fraction) ? '' : `.${fraction}`}`;
}

/** Decimal text with at most nine decimals, in billionths. */
function readNano(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const nano = BigInt(whole + fraction.padEnd(NANO_DIGITS, '0'));
  return text.startsWith('-') ? -nano : nano;
}

function formatCell(column: string, cell: Cell): string {
  if (cell === null) return '<span class="none">–</span>';
  switch (meaningOf(column)) {
    case 'money':
      return formatMoney(cell);
    case 'whole':
      return grouped(cell);
    case 'percent':
      return `${escapeHtml(cell)} %`;
    default:
      // A meter's name is made of words.
      return escapeHtml(column === 'meter' ? cell.replaceAll('_', ' ') : cell);
  }
}

/** An amount's cents as people read them, and the seven decimals behind them. */
export function moneyParts(text: string): { readonly cents: string; readonly rest: string } {
  const [whole = '0', fraction = ''] = text.split('.');
  const decimals = fraction.padEnd(NANO_DIGITS, '0');
  const cents = `${grouped(whole)}.${decimals.slice(0, CENT_DIGITS)}`;
  return { cents, rest: decimals.slice(CENT_DIGITS) };
}

function formatMoney(text: string): string {
  const { cents, rest } = moneyParts(text);
  return `<span class="money">${cents}<small>${rest}</small></span>`;
}

/** Whole number with commas between thousands. */
export function grouped(text: string): string {
  return text.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

function alignment(column: string): string {
  if (meaningOf(column) !== 'text') return ' class="number"';
  return WORDY.has(column) ? ' class="wordy"' : '';
}
