import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents } from '../../../shared/upstream/events.ts';

/** The events of bytes that arrive in these pieces. */
async function eventsOf(pieces: readonly Buffer[]): Promise<string[]> {
  const events: string[] = [];
  for await (const batch of readEvents(Readable.from(pieces))) events.push(...batch);
  return events;
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

const data = fc.array(
  fc.jsonValue().map((value) => JSON.stringify(['ü🎉你', value])),
  {
    minLength: 1,
    maxLength: 5,
  },
);
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
const newline = fc.constantFrom('\n', '\r\n', '\r');

test('any cutting of the bytes, with any line ends, gives the same events', async () => {
  const law = fc.asyncProperty(data, sizes, newline, async (events, lengths, end) => {
    const text = events.map((event) => `event: some${end}data: ${event}${end}${end}`).join('');
    expect(await eventsOf(cut(Buffer.from(text), lengths))).toEqual(events);
  });
  await fc.assert(law, { numRuns: 300 });
});

test('comments, unknown fields and a byte order mark are passed over', async () => {
  const text = '\uFEFF: ping\n\nid: 7\nretry: 10\ndata:{"no":"space"}\n\n: bye\n\n';
  expect(await eventsOf([Buffer.from(text)])).toEqual(['{"no":"space"}']);
});

test('a last event without its blank line is still what the provider sent', async () => {
  expect(await eventsOf([Buffer.from('data: 1\n\ndata: 2')])).toEqual(['1', '2']);
});

test('what came before a broken connection is read, then the break is told', async () => {
  async function* breaking() {
    yield Buffer.from('data: 1\n\ndata: 2');
    throw new Error('reset');
  }
  const events: string[] = [];
  const reading = async () => {
    for await (const batch of readEvents(Readable.from(breaking()))) events.push(...batch);
  };
  await expect(reading()).rejects.toThrow('reset');
  expect(events).toEqual(['1']);
});
