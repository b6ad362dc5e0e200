import type { GatewayError } from '../api/error.ts';
import type { StreamTranslator } from '../providers/contract.ts';
import { brokenAnswer } from '../providers/failure.ts';

const DONE = '[DONE]';
const KEEP_ALIVE = ': keep-alive\n\n';
/** Silence after which a comment line keeps proxies from cutting the stream. */
const KEEP_ALIVE_MS = 15_000;

/** An upstream stream whose first frames are there: from here on its status is 200. */
export interface OpenStream {
  readonly firstFrames: readonly string[];
  readonly events: AsyncIterator<string[]>;
}

/**
 * Reads until the first frame. An error that comes before it, also inside a 200 stream, is thrown
 * as the status that the client gets (part 6 and `Upstream refusals`).
 */
export async function openStream(
  events: AsyncIterator<string[]>,
  translator: StreamTranslator,
): Promise<OpenStream> {
  for (;;) {
    const step = await firstStep(events);
    if (step.done) throw brokenAnswer();
    const frames = translateBatch(step.value, translator);
    if (frames.length > 0) return { firstFrames: frames, events };
    const failure = translator.earlyFailure();
    if (failure) throw failure;
  }
}

async function firstStep(events: AsyncIterator<string[]>): Promise<IteratorResult<string[]>> {
  try {
    return await events.next();
  } catch (cause) {
    throw brokenAnswer(cause);
  }
}

/**
 * Everything the client reads: each frame as one `data:` line and a blank one, `[DONE]` last.
 * `change` may put something on a frame.
 */
export async function* writeFrames(
  stream: OpenStream,
  translator: StreamTranslator,
  change?: (frame: string) => string,
): AsyncGenerator<string> {
  const joined = (frames: readonly string[]) => joinFrames(change ? frames.map(change) : frames);
  yield joined(stream.firstFrames);
  let failure: GatewayError | undefined;
  try {
    for (;;) {
      const next = stream.events.next();
      while (await silentFor(next, KEEP_ALIVE_MS)) yield KEEP_ALIVE;
      const step = await next;
      if (step.done) break;
      const frames = translateBatch(step.value, translator);
      if (frames.length > 0) yield joined(frames);
    }
  } catch (cause) {
    failure = brokenAnswer(cause);
  }
  yield joined(translator.end(failure)) + joinFrames([DONE]);
}

function translateBatch(batch: readonly string[], translator: StreamTranslator): string[] {
  if (batch.length === 1 && batch[0] !== undefined) {
    return batch[0] === DONE ? [] : translator.event(batch[0]);
  }
  return batch.flatMap((data) => (data === DONE ? [] : translator.event(data)));
}

function joinFrames(frames: readonly string[]): string {
  let text = '';
  for (const frame of frames) text += `data: ${frame}\n\n`;
  return text;
}

/** Whether nothing came within the time. The wait ends with whichever is first. */
async function silentFor(next: Promise<unknown>, silenceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<true>((resolve) => {
    timer = setTimeout(resolve, silenceMs, true);
  });
  const arrival = next.then(
    () => false as const,
    () => false as const,
  );
  const silent = await Promise.race([arrival, silence]);
  clearTimeout(timer);
  return silent;
}
