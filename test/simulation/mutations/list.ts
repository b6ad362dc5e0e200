/** One deliberate breakage of the ledger: a text of one file, and what stands there instead. */
export interface Mutation {
  readonly name: string;
  /** What goes wrong in production where code is like this. */
  readonly because: string;
  /** Within `shared/ledger`. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** The simulation must find every one of these. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'place-write-repeated',
    because: 'A delayed first copy reopens the hold after its settlement, and it is charged twice.',
    file: 'reserve.ts',
    find: "if (outcome.kind !== 'not-applied' || left <= THROTTLE_PAUSE_MS) return outcome;\n    if (!isThrottle(outcome.cause)) return outcome;",
    replace:
      "const answered = outcome.kind === 'applied' || outcome.kind === 'refused';\n    if (answered || left <= THROTTLE_PAUSE_MS) return outcome;\n    isThrottle(outcome.cause);",
  },
  {
    name: 'same-id-after-undo',
    because: 'A write of the first try that arrives late meets the second try under the same ID.',
    file: 'place-attempt.ts',
    find: 'const requestId = mintRequestId(nowMs, context.randomBytes(10));',
    replace:
      'const reused = search as Search & { sameId?: string };\n  const requestId = (reused.sameId ??= mintRequestId(nowMs, context.randomBytes(10)));',
  },
  {
    name: 'record-deleted-before-outcome-known',
    because: 'A reservation that arrives after all is on no list of the sweep.',
    file: 'undo.ts',
    find: "return closing === 'closed' || outcome.kind === 'applied';",
    replace: "return closing === 'closed' || closing === 'was-closed';",
  },
  {
    name: 'refund-into-next-period',
    because: 'What was spent yesterday raises the limit of today.',
    file: 'close.ts',
    find: "is: samePeriod ? '=' : '<>'",
    replace: "is: samePeriod ? '>=' : '<>'",
  },
  {
    name: 'undo-frees-dispatched-hold',
    because: 'A copy of the call has found the hold open and is spending it.',
    file: 'place-under-id.ts',
    find: "if (attempt.outcomes.balance?.kind !== 'unknown') {",
    replace: 'if (attempt.hold.amount >= 0n) {',
  },
  {
    name: 'dispatch-without-record',
    because: 'The sweep never hears of the hold when its process dies.',
    file: 'place-attempt.ts',
    find: 'const open = [record, key, balance].find(isOpenQuestion);',
    replace: 'const open = record && [key, balance].find(isOpenQuestion);',
  },
  {
    name: 'settle-without-open-hold',
    because: 'A settlement that is repeated gives the refund again.',
    file: 'close.ts',
    find: "conditions: [{ path: entry, is: '=', value: hold.amount }],",
    replace: 'conditions: [],',
  },
  {
    name: 'charge-above-hold',
    because: 'An account spends money that it does not have.',
    file: 'settle.ts',
    find: 'const charged = cost < hold.amount ? cost : hold.amount;',
    replace: 'const charged = cost;',
  },
  {
    name: 'entry-overwritten',
    because: 'Settlement and expiry both win, and the books change after the fact.',
    file: 'entry.ts',
    find: "const put = { operation: 'put', table, item: row, ifAbsent: true } as const;",
    replace: "const put = { operation: 'put', table, item: row, ifAbsent: false } as const;",
  },
  {
    name: 'expiry-applied-without-reading-entry',
    because: 'A request that was settled is given back in full.',
    file: 'sweep.ts',
    find: 'await applyEntry(context, expired ? expiry : commit.row)',
    replace: 'await applyEntry(context, expired || hold ? expiry : commit.row)',
  },
  {
    name: 'credit-applied-twice',
    because: 'A credit whose answer was lost is given again.',
    file: 'sequenced.ts',
    find: "conditions: [{ path: 'seq', is: '=', value: number - 1n }],",
    replace: 'conditions: [],',
  },
  {
    name: 'reference-not-claimed',
    because: 'One payment that is reported twice becomes two credits.',
    file: 'sequenced.ts',
    find: "if (claim) return numberOf(claim, 'number');",
    replace: '',
  },
  {
    name: 'version-condition-dropped',
    because: 'A key that was disabled or rotated elsewhere goes on working here.',
    file: 'reserve.ts',
    find: "{ path: 'version', is: '=', value: key.version },",
    replace: '',
  },
  {
    name: 'balance-condition-dropped',
    because: 'Concurrent requests spend the same money.',
    file: 'reserve.ts',
    find: "{ path: 'available', is: '>=', value: hold.amount },",
    replace: '',
  },
  {
    name: 'lifetime-condition-dropped',
    because: 'Concurrent requests exceed the key’s limit.',
    file: 'spend-limits.ts',
    find: "conditions.push({ path: 'life_room', is: '>=', value: spend.amount });",
    replace: '',
  },
  {
    name: 'period-begins-twice',
    because: 'Two processes at midnight both refill the room.',
    file: 'spend-limits.ts',
    find: "conditions.push({ path: 'period', is: '<', value: period });",
    replace: '',
  },
  {
    name: 'bucket-of-double-size',
    because: 'The key’s rate limit is not what its owner was promised.',
    file: 'token-bucket.ts',
    find: 'lastUs: nowUs + capacityUs - bucket.intervalUs,',
    replace: 'lastUs: nowUs + 2n * capacityUs,',
  },
  {
    name: 'record-of-another-call-taken-for-own',
    because: 'Two calls under one ID both reserve, one after the other was settled.',
    file: 'hold-record.ts',
    find: 'for (;;) {\n    const outcome = await sendOnce(context, command, deadline);',
    replace:
      "for (let repeated = false; ; repeated = true) {\n    const outcome = await sendOnce(context, command, deadline);\n    if (outcome.kind === 'refused' && repeated) return { kind: 'applied', item: outcome.item };",
  },
  {
    name: 'first-hold-of-period-above-limit',
    because: 'A request larger than the whole limit passes once a day.',
    file: 'spend-limits.ts',
    find: ' || spend.amount > recurringLimit.amount',
    replace: '',
  },
  {
    name: 'orphans-not-looked-for',
    because: 'A process that dies within its one round trip locks money away for ever.',
    file: 'sweep.ts',
    find: 'for (const hold of await findOrphans(context, atMs)) await finish(context, hold, found);',
    replace: '',
  },
  {
    name: 'late-charge-without-reference',
    because: 'A late settlement that is repeated charges again.',
    file: 'late-charge.ts',
    find: 'reference: `late#',
    replace: 'reference: context.monotonicNow() + `late#',
  },
  {
    name: 'marker-opened-twice',
    because:
      'A delayed first copy reopens the marker after the transfer, and the money moves again.',
    file: 'transfer.ts',
    find: 'const taken = await sendReservation(context, openMarker(context, outgoing), deadline);',
    replace:
      "let taken = await sendReservation(context, openMarker(context, outgoing), deadline);\n  if (taken.kind === 'unknown') taken = await sendReservation(context, openMarker(context, outgoing), { atMs: deadline.atMs + 3_000 });",
  },
  {
    name: 'transfer-committed-half-open',
    because: 'Money comes to a stripe that left none, or leaves for one that never hears of it.',
    file: 'transfer.ts',
    find: 'const moved = announced && hasMoved(',
    replace: 'const moved = hasMoved(',
  },
  {
    name: 'transfer-applied-twice',
    because: 'A transfer that is finished by two gives twice.',
    file: 'transfer.ts',
    find: "conditions: [{ path: entry, is: '=', value: side.marker }],",
    replace: 'conditions: [],',
  },
  {
    name: 'transfer-beyond-balance',
    because: 'A stripe gives what requests have just reserved.',
    file: 'transfer.ts',
    find: "{ path: 'available', is: '>=', value: reserved },",
    replace: '',
  },
  {
    name: 'transfer-abandoned-without-row',
    because: 'One side is given back while whoever began the transfer commits it.',
    file: 'transfer.ts',
    find: '(await abandon(context, side))',
    replace: '({ moved_nano: 0n } as Item)',
  },
  {
    name: 'transfers-not-finished',
    because: 'A process that dies between two stripes locks money away for ever.',
    file: 'stripe-account.ts',
    find: 'await finishOld(context, accountId, await readStripes(context, accountId), MINUTE_MS);',
    replace: '',
  },
  {
    name: 'thin-money-refused',
    because: 'The balance covers a request, and it is refused because no stripe does alone.',
    file: 'judge-balance.ts',
    find: "return { kind: moving ? 'moving' : 'thin', stripes: before };",
    replace:
      "return moving ? { kind: 'moving', stripes: before } : { kind: 'short', coveredByYoung: false };",
  },
  {
    name: 'other-stripes-not-asked',
    because: 'One empty stripe refuses what the next one has.',
    file: 'judge-balance.ts',
    find: "if (found.length > 0) return { kind: 'missed', stripe: anyOf(context, found).number };",
    replace:
      "if (found.length > 0 && key.stripes > 1) return { kind: 'short', coveredByYoung: false };",
  },
  {
    name: 'money-on-its-way-not-counted',
    because: 'Money that moves between two stripes while they are read seems to be nowhere.',
    file: 'stripes.ts',
    find: 'return most + underWay([...before, ...after]);',
    replace: 'underWay([...before, ...after]);\n  return most;',
  },
  {
    name: 'orphans-of-first-stripe-only',
    because: 'What a dead process reserved on another stripe stays locked away.',
    file: 'orphans.ts',
    find: 'of await readStripes(context, accountId)) {',
    replace: 'of (await readStripes(context, accountId)).slice(0, 1)) {',
  },
  {
    name: 'taken-from-first-stripe-only',
    because: 'A correction is refused although the balance covers it.',
    file: 'spread.ts',
    find: 'if (stripes.length === 1 || stripes[0].available >= wanted) return stripes[0].available;',
    replace: 'if (stripes.length > 0) return stripes[0].available;',
  },
  {
    name: 'neighbours-not-waited-for',
    because: 'Reservations that are about to be undone refuse requests that there is money for.',
    file: 'place.ts',
    find: 'if (!shortage.coveredByYoung || search.waitsLeft === 0) {',
    replace: 'if (shortage.kind || search.waitsLeft === 0) {',
  },
];
