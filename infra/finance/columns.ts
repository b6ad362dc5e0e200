import { METERS } from '../../shared/pricing/usage.ts';

/**
 * How a column is stored in DynamoDB and read for finance. `nano`: whole nano-dollars in the row,
 * US dollars with nine decimals in the queries. `price`: US dollars per unit, as a decimal text.
 */
type ColumnKind = 'text' | 'whole' | 'nano' | 'price' | 'flag';

/** One attribute of a ledger row. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Every attribute that a row of the ledger may have; `docs/finance.md` explains them in words. */
export const COLUMNS: readonly Column[] = [
  { name: 'pk', kind: 'text' },
  { name: 'sk', kind: 'text' },
  { name: 'kind', kind: 'text' },
  { name: 'request_id', kind: 'text' },
  { name: 'account_id', kind: 'text' },
  { name: 'key_id', kind: 'text' },
  { name: 'stripe', kind: 'whole' },
  { name: 'to_stripe', kind: 'whole' },
  { name: 'transfer_id', kind: 'text' },
  { name: 'sequence', kind: 'whole' },
  { name: 'amount_nano', kind: 'nano' },
  { name: 'moved_nano', kind: 'nano' },
  { name: 'hold_nano', kind: 'nano' },
  { name: 'uncollected_nano', kind: 'nano' },
  { name: 'held_by_key', kind: 'flag' },
  { name: 'period', kind: 'text' },
  { name: 'route', kind: 'text' },
  { name: 'model_requested', kind: 'text' },
  { name: 'model', kind: 'text' },
  { name: 'deployment', kind: 'text' },
  { name: 'provider', kind: 'text' },
  ...METERS.map((name) => ({ name, kind: 'whole' as const })),
  { name: 'reasoning_tokens', kind: 'whole' },
  ...METERS.map((meter) => ({ name: `price_${meter}`, kind: 'price' as const })),
  { name: 'estimated', kind: 'flag' },
  { name: 'status', kind: 'text' },
  { name: 'metadata', kind: 'text' },
  { name: 'reference', kind: 'text' },
  { name: 'reason', kind: 'text' },
  { name: 'late_for', kind: 'text' },
  { name: 'started_at_ms', kind: 'whole' },
  { name: 'finished_at_ms', kind: 'whole' },
  { name: 'created_at_ms', kind: 'whole' },
];

/** The name under which queries see a column: amounts are in US dollars there. */
export function queriedName({ name, kind }: Column): string {
  return kind === 'nano' ? name.replace(/_nano$/, '_usd') : name;
}

/** DynamoDB's own letter for the value of a column. */
export function storedType({ kind }: Column): 'S' | 'N' | 'BOOL' {
  if (kind === 'flag') return 'BOOL';
  return kind === 'text' || kind === 'price' ? 'S' : 'N';
}
