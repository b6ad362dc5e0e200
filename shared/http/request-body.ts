import type { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import zlib from 'node:zlib';
import { GatewayError, invalidRequest } from '../api/error.ts';
import { quoted } from '../api/quoted.ts';
import type { FunctionUrlEvent } from './function-url.ts';

/** Counted after decompression (part 8): 100 MB. */
export const BODY_LIMIT_BYTES = 100_000_000;

type Decompressor = (body: Buffer) => Transform;

const DECOMPRESSORS: Readonly<Record<string, Decompressor>> = {
  gzip: () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
  // Both readings of `deflate` are in use: with the zlib header (whose low nibble is 8) and raw.
  deflate: (body) =>
    ((body[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw(),
};

/** The 413 of a host that takes bodies of up to so many bytes. */
export function bodyTooLarge(limitBytes = BODY_LIMIT_BYTES): GatewayError {
  return new GatewayError(
    'too_large',
    `The request body is larger than ${limitBytes} bytes. Send a smaller body.`,
  );
}

/**
 * Puts the decompressed text into `event.body`, for the JSON parser that follows. What a
 * compressed body claims to hold never takes more memory than the limit.
 */
export async function decodeRequestBody(event: FunctionUrlEvent): Promise<void> {
  if (event.bodyTooLarge) throw bodyTooLarge();
  const encoding = (event.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (typeof event.body !== 'string' || event.body === '') {
    throw invalidRequest('The request body is empty. Send a JSON object.');
  }
  if (encoding === '' || encoding === 'identity') {
    if (!event.isBase64Encoded) return checkLength(event.body);
    return setText(event, Buffer.from(event.body, 'base64'));
  }
  const decompressor = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (!decompressor) {
    throw invalidRequest(
      `Content-Encoding ${quoted(encoding)} is not supported. Use gzip, deflate, br, zstd or none.`,
    );
  }
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  event.body = await decompress(bytes, decompressor(bytes), encoding);
  event.isBase64Encoded = false;
}

/** Text is decoded as it comes: a large body's bytes and text never stand in memory together. */
async function decompress(bytes: Buffer, stream: Transform, encoding: string): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let length = 0;
  stream.end(bytes);
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > BODY_LIMIT_BYTES) throw bodyTooLarge();
      text += decoder.write(chunk);
    }
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw new GatewayError('invalid_request', `The request body is not valid ${encoding}.`, {
      cause,
    });
  }
  return text + decoder.end();
}

function setText(event: FunctionUrlEvent, bytes: Buffer): void {
  if (bytes.length > BODY_LIMIT_BYTES) throw bodyTooLarge();
  event.body = bytes.toString('utf8');
  event.isBase64Encoded = false;
}

function checkLength(text: string): void {
  // A character takes three bytes at most (four for two code units): most bodies need no count.
  if (text.length * 3 > BODY_LIMIT_BYTES && Buffer.byteLength(text) > BODY_LIMIT_BYTES) {
    throw bodyTooLarge();
  }
}
