import type { Result } from './duckdb.ts';
import { grouped, labelOf, moneyParts } from './table.ts';

/** One chart for the page's script: the numbers are for drawing, the texts are exact. */
export interface Chart {
  readonly id: string;
  /** Said to those who do not see the drawing. */
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Bars lie, one below the other: for names, which are long. */
  readonly lying: boolean;
  readonly money: boolean;
}

interface Series {
  readonly label: string;
  readonly values: readonly number[];
  readonly texts: readonly string[];
}

/** What of a result is drawn. */
export interface ChartShape {
  /** Columns of names, joined. */
  readonly names: readonly string[];
  /** Columns of numbers, stacked. */
  readonly values: readonly string[];
  readonly lying: boolean;
}

/** So many names can still be told apart; the table has them all. */
const MOST_BARS = 12;

/** Undefined where there is nothing to draw. */
export function chartOf(
  id: string,
  title: string,
  { columns, rows }: Result,
  shape: ChartShape,
): Chart | undefined {
  if (rows.length === 0) return undefined;
  const drawn = shape.lying ? rows.slice(0, MOST_BARS) : rows;
  const columnOf = (name: string) => {
    const index = columns.indexOf(name);
    return drawn.map((row) => row[index] ?? '0');
  };
  const names = shape.names.map(columnOf);
  const money = shape.values.every((name) => name.endsWith('_usd'));
  return {
    id,
    title,
    labels: drawn.map((_, row) => names.map((column) => column[row]).join(', ')),
    series: shape.values.map((name) => {
      const texts = columnOf(name);
      return {
        label: labelOf(name),
        values: texts.map(Number),
        texts: texts.map((text) => (money ? moneyText(text) : grouped(text))),
      };
    }),
    lying: shape.lying,
    money,
  };
}

function moneyText(text: string): string {
  const { cents, rest } = moneyParts(text);
  return `$${cents}${rest}`;
}
