import {
  type Books,
  demand,
  type KeyModel,
  type Moment,
  type Refused,
  requestIn,
} from './auditor-model.ts';

/** A process may repeat a refusal from memory for a second, and a slow answer tells of the past. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_IN_CALM_MS = 300;
const WAITED_TWICE_MS = 200;

/** A refusal for money or rate is true at some moment of its call. */
export function auditRefusal(books: Books, refused: Refused, toleranceMs: number): void {
  const key = books.keys.get(refused.keyId);
  const account = books.accounts.get(refused.accountId);
  demand(key !== undefined && account !== undefined, () => 'refused for a key that is not there');
  // Where every answer comes at once, nothing but a shortage of a quarter of a second is remembered.
  const rememberedMs = refused.isCalm ? REMEMBERED_IN_CALM_MS : REMEMBERED_MS;
  const span = { fromMs: refused.fromMs - rememberedMs, toMs: refused.toMs };
  const ever = (history: readonly Moment[], rule: (value: bigint) => boolean) =>
    within(history, span).some(({ value }) => rule(value));
  switch (refused.code) {
    case 'billing': {
      if (refused.isCalm) books.shortages.push(refused);
      const short = refused.message.includes('spend limit')
        ? ever(key.roomHistory, (room) => room < refused.amount)
        : ever(account.history, (available) => available < refused.amount);
      demand(
        short,
        () => `402 for ${refused.amount} on ${refused.keyId}, which was there all the time`,
      );
      return;
    }
    case 'authentication':
      demand(key.rotated, () => `401 for the only secret that ${refused.keyId} ever had`);
      return;
    case 'permission': {
      const closed = within(key.closedHistory, refused).some(({ value }) => value === 1n);
      const expired = [...key.expiriesMs].some((atMs) => atMs <= refused.toMs + toleranceMs);
      demand(closed || expired, () => `403 for ${refused.keyId}, which was open all the time`);
      return;
    }
    case 'conflict':
      demand(refused.isCopy, () => `409 for an ID that the ledger minted itself`);
      return;
    case 'ledger_unavailable':
      demand(!refused.isCalm, () => '503 while the database answered everything');
      return;
    case 'rate_limit':
      demand(
        bucketWasEmpty(key, refused, toleranceMs),
        () => `429 for ${refused.keyId}, which had tokens`,
      );
      return;
  }
}

export interface Shortage {
  readonly accountId: string;
  readonly amount: bigint;
  /** When the call began and ended, by true time. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** An adjustment is refused only where the balance was short at some moment of the call. */
export function auditAdjustmentRefusal(books: Books, refused: Shortage): void {
  const { accountId, amount } = refused;
  const history = books.accounts.get(accountId)?.history ?? [];
  const short = within(history, refused).some(({ value }) => value < amount);
  demand(short, () => `${accountId}: an adjustment of ${amount} is refused, which was there`);
}

/** Some write had left the bucket's time of arrival so far ahead that no token was there. */
function bucketWasEmpty(key: KeyModel, refused: Refused, toleranceMs: number): boolean {
  const earliestUs = BigInt(refused.fromMs - REMEMBERED_MS - toleranceMs) * 1_000n;
  const span = { fromMs: refused.fromMs - REMEMBERED_MS, toMs: refused.toMs };
  return within(key.tatHistory, span).some(({ value }) => value > earliestUs);
}

/** The values that stood at some moment between two times. */
function within(history: readonly Moment[], span: { fromMs: number; toMs: number }): Moment[] {
  return history.filter(({ atMs }, index) => {
    const next = history[index + 1];
    return atMs <= span.toMs && (next === undefined || next.atMs >= span.fromMs);
  });
}

/**
 * Where the database answers everything, a reservation that came to nothing refuses nobody: a 402
 * is true at some moment of its call even without those, by the balance or by a limit of the key,
 * unless it has waited for them twice. Judged in the end, when it is known what became of them.
 */
export function auditShortages(books: Books): void {
  for (const refused of books.shortages) {
    if (refused.toMs - refused.fromMs >= WAITED_TWICE_MS) continue;
    const span = { fromMs: refused.fromMs - REMEMBERED_MS, toMs: refused.toMs };
    const isShort = (side: 'key' | 'balance', history: readonly Moment[] = []) =>
      within(history, span).some(
        ({ value, open }) => value + comesToNothing(books, side, open) < refused.amount,
      );
    const byKey = isShort('key', books.keys.get(refused.keyId)?.roomHistory);
    const byBalance = isShort('balance', books.accounts.get(refused.accountId)?.history);
    demand(
      byKey || byBalance,
      () => `402 for ${refused.amount} because of reservations that were undone`,
    );
  }
}

function comesToNothing(
  books: Books,
  side: 'key' | 'balance',
  open: ReadonlyMap<string, bigint>,
): bigint {
  return [...open]
    .filter(([requestId]) => requestIn(books, requestId)[side].state === 'undone')
    .reduce((sum, [, amount]) => sum + amount, 0n);
}
