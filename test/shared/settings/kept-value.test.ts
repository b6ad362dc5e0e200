import { expect, test } from 'vitest';
import {
  keepValue,
  OLD_AFTER_MS,
  RENEW_AT_MOST_EVERY_MS,
} from '../../../shared/settings/kept-value.ts';

/** A store whose reads the test answers one by one, and a clock that it moves by hand. */
function startStore() {
  const reads: PromiseWithResolvers<string>[] = [];
  const failures: unknown[] = [];
  let nowMs = 0;
  const kept = keepValue({
    read: () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
    onRenewalFailure: (error) => failures.push(error),
    monotonicNow: () => nowMs,
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { kept, reads, failures, pass };
}

const OUTAGE = new Error('outage');

test('callers at the same time share one read, and later ones read nothing', async () => {
  const { kept, reads } = startStore();
  const both = Promise.all([kept.get(), kept.get()]);
  reads[0]?.resolve('a');
  expect(await both).toEqual(['a', 'a']);
  expect(await kept.get()).toBe('a');
  expect(reads).toHaveLength(1);
});

test('a failed first read is told to whom it concerns and remembered by nobody', async () => {
  const { kept, reads } = startStore();
  const beginner = kept.get();
  const joined = [kept.get(), kept.get()];
  reads[0]?.reject(OUTAGE);
  await expect(beginner).rejects.toBe(OUTAGE);
  // Whoever joined reads once more, together.
  expect(reads).toHaveLength(2);
  reads[1]?.resolve('a');
  expect(await Promise.all(joined)).toEqual(['a', 'a']);

  const { kept: other, reads: others } = startStore();
  const first = other.get();
  others[0]?.reject(OUTAGE);
  await expect(first).rejects.toBe(OUTAGE);
  const second = other.get();
  others[1]?.resolve('b');
  expect(await second).toBe('b');
});

test('a renewal reads at once, then not before its time, and refusals at the same time share it', async () => {
  const { kept, reads, pass } = startStore();
  const first = kept.get();
  reads[0]?.resolve('a');
  await first;
  const renewals = Promise.all([kept.renew(), kept.renew()]);
  reads[1]?.resolve('a');
  expect(await renewals).toEqual(['a', 'a']);

  pass(RENEW_AT_MOST_EVERY_MS - 1);
  expect(await kept.renew()).toBe('a');
  expect(reads).toHaveLength(2);
  pass(1);
  const later = kept.renew();
  reads[2]?.resolve('b');
  expect(await later).toBe('b');
  expect(await kept.get()).toBe('b');
});

test('a renewal that fails keeps what is at hand, says so, and counts as one', async () => {
  const { kept, reads, failures, pass } = startStore();
  const first = kept.get();
  reads[0]?.resolve('a');
  await first;
  const renewal = kept.renew();
  reads[1]?.reject(OUTAGE);
  expect(await renewal).toBe('a');
  expect(failures).toEqual([OUTAGE]);
  expect(await kept.renew()).toBe('a');
  expect(reads).toHaveLength(2);
  pass(RENEW_AT_MOST_EVERY_MS);
  void kept.renew();
  expect(reads).toHaveLength(3);
});

test('a renewal that was frozen with its host is no failure of the store', async () => {
  const { kept, reads, failures, pass } = startStore();
  const first = kept.get();
  reads[0]?.resolve('a');
  await first;
  const renewal = kept.renew();
  pass(60_000);
  reads[1]?.reject(OUTAGE);
  expect(await renewal).toBe('a');
  expect(failures).toEqual([]);
});

test('an old value is given out while it is read anew', async () => {
  const { kept, reads, pass } = startStore();
  const first = kept.get();
  reads[0]?.resolve('a');
  await first;
  pass(OLD_AFTER_MS + 1);
  expect(await kept.get()).toBe('a');
  expect(await kept.get()).toBe('a');
  expect(reads).toHaveLength(2);
  reads[1]?.resolve('b');
  await reads[1]?.promise;
  await Promise.resolve();
  expect(await kept.get()).toBe('b');
});
