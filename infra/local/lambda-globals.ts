import type { Writable } from 'node:stream';

/** What `awslambda.HttpResponseStream.from` is given: status and headers of the answer. */
export interface ResponsePrelude {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type StreamingHandler = (event: unknown, stream: Writable, context: object) => Promise<void>;

const preludes = new WeakMap<Writable, ResponsePrelude>();

/** Status and headers that a handler gave its stream; undefined before it gave any. */
export function preludeOf(stream: Writable): ResponsePrelude | undefined {
  return preludes.get(stream);
}

/** The runtime global of Lambda's Node.js runtime, which handlers expect at import. */
export function installLambdaGlobals(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: StreamingHandler) => handler,
      HttpResponseStream: {
        from: (stream: Writable, prelude: ResponsePrelude) => {
          preludes.set(stream, prelude);
          return stream;
        },
      },
    },
  });
}
