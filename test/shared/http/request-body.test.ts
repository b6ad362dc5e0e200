import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FunctionUrlEvent } from '../../../shared/http/function-url.ts';
import { BODY_LIMIT_BYTES, decodeRequestBody } from '../../../shared/http/request-body.ts';

function event(bytes: Buffer, encoding?: string): FunctionUrlEvent {
  // Only what the decoder reads of an event.
  return {
    headers: encoding === undefined ? {} : { 'content-encoding': encoding },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  } as unknown as FunctionUrlEvent;
}

const TEXT = Buffer.from('{"text":"Grüße 🎉"}');

describe('encodings', () => {
  test.each([
    ['none', undefined, TEXT],
    ['identity', 'identity', TEXT],
    ['gzip', 'gzip', zlib.gzipSync(TEXT)],
    ['gzip in capitals', 'GZIP', zlib.gzipSync(TEXT)],
    ['deflate with its header', 'deflate', zlib.deflateSync(TEXT)],
    ['raw deflate', 'deflate', zlib.deflateRawSync(TEXT)],
    ['br', 'br', zlib.brotliCompressSync(TEXT)],
    ['zstd', 'zstd', zlib.zstdCompressSync(TEXT)],
  ])('%s', async (_name, encoding, bytes) => {
    const received = event(bytes, encoding);
    await decodeRequestBody(received);
    expect(received.body).toBe(TEXT.toString());
  });

  test.each([
    ['an unknown encoding', 'compress', TEXT, /compress/],
    ['one that an object has by itself', 'constructor', TEXT, /constructor/],
    ['broken gzip', 'gzip', TEXT, /not valid gzip/],
    ['truncated zstd', 'zstd', zlib.zstdCompressSync(TEXT).subarray(0, 12), /not valid zstd/],
  ])('%s is a 400', async (_name, encoding, bytes, message) => {
    await expect(decodeRequestBody(event(bytes, encoding))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
  });
});

describe('the limit', () => {
  test.each(['gzip', 'br', 'zstd'])(
    'a small %s body that unfolds past it is a 413',
    async (encoding) => {
      const huge = Buffer.alloc(BODY_LIMIT_BYTES + 1, 0x20);
      const compress = {
        gzip: zlib.gzipSync,
        br: (bytes: Buffer) =>
          zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
        zstd: zlib.zstdCompressSync,
      }[encoding];
      const bytes = compress?.(huge) ?? huge;
      expect(bytes.length).toBeLessThan(1_000_000);
      await expect(decodeRequestBody(event(bytes, encoding))).rejects.toMatchObject({
        code: 'too_large',
      });
    },
  );

  test('what a host refused while it was arriving is a 413', async () => {
    const refused = { headers: {}, bodyTooLarge: true } as unknown as FunctionUrlEvent;
    await expect(decodeRequestBody(refused)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('bytes count, not characters', async () => {
    const received = event(Buffer.alloc(0));
    received.isBase64Encoded = false;
    received.body = 'ü'.repeat(BODY_LIMIT_BYTES / 2 + 1);
    await expect(decodeRequestBody(received)).rejects.toMatchObject({ code: 'too_large' });
  });
});
