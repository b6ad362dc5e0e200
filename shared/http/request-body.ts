import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { GatewayError, invalidRequest } from '../api/error.ts';
import { quoted } from '../api/quoted.ts';
import type { FunctionUrlEvent } from './function-url.ts';

/** Counted after decompression (part 8): 100 MB. */
export const BODY_LIMIT_BYTES = 100_000_000;

const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  zstd: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress),
  // Both readings of `deflate` are in use: with the zlib header (whose low nibble is 8) and raw.
  deflate: (body, options) =>
    ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options) : inflateRaw(body, options),
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
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decoder) {
    throw invalidRequest(
      `Content-Encoding ${quoted(encoding)} is not supported. Use gzip, deflate, br, zstd or none.`,
    );
  }
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  setText(event, await decompress(bytes, decoder, encoding));
}

async function decompress(bytes: Buffer, decoder: Decoder, encoding: string): Promise<Buffer> {
  try {
    return await decoder(bytes, { maxOutputLength: BODY_LIMIT_BYTES });
  } catch (cause) {
    if (cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') {
      throw bodyTooLarge();
    }
    throw new GatewayError('invalid_request', `The request body is not valid ${encoding}.`, {
      cause,
    });
  }
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
