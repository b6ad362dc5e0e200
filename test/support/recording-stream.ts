import assert from 'node:assert/strict';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape are read into here
type Loose = any;

export interface PostOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back over HTTP, byte for byte as the client would read it. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of a whole answer or an error; undefined for a stream. */
  readonly json: Loose;
  /** The JSON of each frame before `[DONE]`. */
  readonly frames: readonly Loose[];
  readonly comments: readonly string[];
}

/** Posts a body and reads the answer; a stream must be framed as part 6 says and end in `[DONE]`. */
export async function post({ url, apiKey, body, headers }: PostOptions): Promise<Posted> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const { status } = response;
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!streamed) {
    return { status, headers: response.headers, json: JSON.parse(text), frames: [], comments: [] };
  }
  return { status, headers: response.headers, json: undefined, ...readFrames(text) };
}

function readFrames(text: string): Pick<Posted, 'frames' | 'comments'> {
  const blocks = text.split('\n\n');
  assert.equal(blocks.pop(), '', 'a stream ends with a blank line');
  assert.equal(blocks.pop(), 'data: [DONE]', 'the last frame is [DONE]');
  const frames: Loose[] = [];
  const comments: string[] = [];
  for (const block of blocks) {
    if (block.startsWith(':')) comments.push(block);
    else {
      assert.match(block, /^data: \{[^\n]*\}$/, 'a frame is one data line');
      frames.push(JSON.parse(block.slice('data: '.length)));
    }
  }
  return { frames, comments };
}

/** How a stream ended, and the text that came until then. Exactly one frame may be terminal. */
export interface Ended {
  readonly text: string;
  readonly outcome: string;
  readonly error: Loose;
}

/** Reads chat chunks: the terminal frame is the one with a finish reason, or an error. */
export function endOfChat(frames: readonly Loose[]): Ended {
  const choices = frames.flatMap((frame) => frame.choices ?? []);
  const finishes = choices.flatMap(({ finish_reason: reason }) => reason ?? []);
  const errors = frames.filter((frame) => 'error' in frame);
  assert.equal(finishes.length + errors.length, 1, 'there is exactly one terminal frame');
  if (errors.length > 0) assert.equal(frames.at(-1), errors[0], 'nothing follows the error');
  const [error] = errors.map((frame) => frame.error);
  const text = choices.map(({ delta }) => delta.content ?? '').join('');
  return { text, outcome: error ? 'error' : finishes[0], error };
}

const TERMINAL = ['response.completed', 'response.incomplete', 'response.failed'];

/** Reads responses events: the terminal one is the last. */
export function endOfResponse(frames: readonly Loose[]): Ended {
  frames.forEach(({ sequence_number: sequence }, index) => {
    assert.equal(sequence, index, 'sequence numbers are contiguous from 0');
  });
  const terminal = frames.filter(({ type }) => TERMINAL.includes(type));
  assert.equal(terminal.length, 1, 'there is exactly one terminal event');
  assert.equal(frames.at(-1), terminal[0], 'nothing follows the terminal event');
  const { response } = terminal[0];
  const deltas = frames.filter(({ type }) => type === 'response.output_text.delta');
  const text = deltas.map(({ delta }) => delta).join('');
  assert.equal(response.output_text, text, 'what was generated stays');
  return { text, outcome: response.status, error: response.error };
}
