import { describe, expect, test } from 'vitest';
import {
  A,
  anyAnswer,
  B,
  errorShape,
  jsonFrames,
  PATHS,
  requestOf,
  useSpecGateway,
} from '../support/spec-gateway.ts';

const spec = useSpecGateway();
const ROUTES = ['chat', 'responses'] as const;
const TEXT = 'Grüße aus Zürich 🎉';

const ask = (route: 'chat' | 'responses', model: string) =>
  spec.post(PATHS[route], requestOf(route, { model, stream: true }));

describe.each(ROUTES)('%s', (route) => {
  test.each([A, B])(
    '6 frames: a data line and a blank one each, [DONE] last, %s',
    async (model) => {
      const { headers, text } = await spec.accept(route, { model, stream: true });
      expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(headers.get('cache-control')).toContain('no-transform');
      expect(text).toMatch(/^(?:data: \{[^\n]+\}\n\n)+data: \[DONE\]\n\n$/);
    },
  );

  test.each([A, B])(
    '6 frames: wherever the provider cuts its bytes and lines, %s',
    async (model) => {
      const plain = await spec.accept(route, { model, stream: true });
      const cut = await spec.accept(
        route,
        { model, stream: true },
        { answer: (request) => ({ ...anyAnswer(request), chunkBytes: 7, crlf: true }) },
      );
      const shape = (text: string) =>
        jsonFrames(text).map((frame) => [frame.type, frame.delta, frame.choices?.[0]?.delta]);
      expect(shape(cut.text)).toEqual(shape(plain.text));
    },
  );

  test.each([A, B])('6 frames: an error before the first event is a status, %s', async (model) => {
    for (let tries = model === A ? 2 : 1; tries > 0; tries -= 1) {
      spec.upstream().enqueue((request) => ({ ...anyAnswer(request), cutAfter: 0 }));
    }
    spec.tookToken();
    const { status, body } = await ask(route, model);
    expect(status).toBe(500);
    expect(body).toEqual(errorShape('gateway_error'));
  });

  test.each([A, B])(
    '6 frames: after the first event an error is a frame, then [DONE], %s',
    async (model) => {
      spec.upstream().enqueue((request) => ({ ...anyAnswer(request), cutAfter: 5 }));
      spec.tookToken();
      const { status, text } = await ask(route, model);
      expect(status).toBe(200);
      const last = jsonFrames(text).at(-1);
      if (route === 'chat') expect(last).toEqual(errorShape('gateway_error'));
      else {
        expect(last).toMatchObject({
          type: 'response.failed',
          response: {
            status: 'failed',
            error: { code: expect.any(String), message: expect.stringMatching(/\w/) },
          },
        });
      }
    },
  );
});

test.each([A, B])(
  '6 chat chunk: id, object, created, model, choices, and the usage, %s',
  async (model) => {
    const frames = jsonFrames((await spec.accept('chat', { model, stream: true })).text);
    const [first] = frames;
    for (const frame of frames) {
      expect(frame).toMatchObject({
        id: first.id,
        object: 'chat.completion.chunk',
        created: first.created,
        model: first.model,
      });
      for (const choice of frame.choices)
        expect(choice).toMatchObject({ index: 0, delta: expect.any(Object) });
    }
    expect(first.choices[0].delta.role).toBe('assistant');
    const reasons = frames.flatMap(({ choices }) =>
      choices.map((choice: { finish_reason: unknown }) => choice.finish_reason),
    );
    expect(reasons.pop()).toBe('stop');
    expect(new Set(reasons)).toEqual(new Set([null]));
    expect(frames.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(TEXT);
    expect(frames.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 },
    });
  },
);

test.each([A, B])(
  '6 response events: created first, deltas, one final event, %s',
  async (model) => {
    const frames = jsonFrames((await spec.accept('responses', { model, stream: true })).text);
    expect(frames.every(({ type }) => typeof type === 'string')).toBe(true);
    expect(frames[0]).toMatchObject({
      type: 'response.created',
      response: { object: 'response', status: 'in_progress', output: [] },
    });
    const deltas = frames.filter(({ type }) => type === 'response.output_text.delta');
    for (const delta of deltas) {
      expect(delta).toMatchObject({
        item_id: expect.any(String),
        output_index: expect.any(Number),
        content_index: expect.any(Number),
        delta: expect.any(String),
      });
    }
    expect(deltas.map(({ delta }) => delta).join('')).toBe(TEXT);
    expect(
      frames.filter(({ type }) => /^response\.(?:completed|failed|incomplete)$/.test(type)),
    ).toEqual([frames.at(-1)]);
    const final = frames.at(-1).response;
    expect(final).toMatchObject({
      id: frames[0].response.id,
      status: 'completed',
      usage: { total_tokens: 1_050 },
    });
    expect(final.id).toMatch(/-7[0-9a-f]{3}-/);
  },
);
