import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';

/**
 * Reads a server-sent event stream: yields the `data` texts of the events that each read
 * brought, so that a burst costs one step. Frames may be cut at any byte.
 */
export async function* readEvents(body: Readable): AsyncGenerator<string[]> {
  let batch: string[] = [];
  const parser = createParser({
    onEvent: (event) => {
      batch.push(event.data);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (batch.length > 0) {
      yield batch;
      batch = [];
    }
  }
  // A last event without its blank line is still what the provider sent.
  parser.feed(`${decoder.decode()}\n\n`);
  if (batch.length > 0) yield batch;
}
