import { Readable } from 'node:stream';
import type { LambdaFunctionURLEvent } from 'aws-lambda';

/** The function URL event (payload format 2.0) that every host hands to the handlers. */
export type FunctionUrlEvent = Omit<LambdaFunctionURLEvent, 'body'> & {
  /** Text, base64 text, or after the body parser the parsed JSON. */
  body?: unknown;
  /** Set by a host that stopped reading at the body limit; no client can reach it. */
  bodyTooLarge?: true;
};

/** What a handler gives back; middy streams the body and then runs `afterEnd`. */
export interface FunctionUrlResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Readable | string;
  /** Runs once the client has its whole answer, within the same invocation: settlement. */
  afterEnd?: () => Promise<void>;
}

/**
 * A body that is written whole. Long strings go as one buffer: middy would cut a string every
 * 16,384 code units and break what stands across the cut.
 */
export function wholeBody(text: string): Readable {
  return Readable.from([Buffer.from(text)], { objectMode: false });
}

/** A JSON answer; `headers` are added to its content type. */
export function jsonResponse(
  statusCode: number,
  value: unknown,
  headers: Record<string, string> = {},
): FunctionUrlResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: wholeBody(JSON.stringify(value)),
  };
}
