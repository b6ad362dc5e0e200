import { text } from 'node:stream/consumers';
import { GatewayError } from '../api/error.ts';
import { parseJson } from '../api/json.ts';
import type { StreamTranslator, UpstreamFailure, WholeAnswer } from '../providers/contract.ts';
import { readEvents } from '../upstream/events.ts';
import type { SendUpstream, UpstreamAnswer } from '../upstream/send.ts';
import { type OpenStream, openStream } from './frames.ts';
import type { Candidate } from './prepare.ts';

interface ServedBase {
  /** The candidate that really served. */
  readonly candidate: Candidate;
  /** Response headers of the provider, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from dispatch to this candidate until its whole answer, or its first frames. */
  readonly upstreamMs: number;
}

export interface ServedWhole extends ServedBase {
  readonly kind: 'whole';
  /** The provider's own body. */
  readonly raw: unknown;
  readonly answer: WholeAnswer;
}

export interface ServedStream extends ServedBase {
  readonly kind: 'stream';
  readonly stream: OpenStream;
  readonly translator: StreamTranslator;
}

/** An answer of which the client gets something. */
export type Served = ServedWhole | ServedStream;

export interface DispatchInput {
  readonly candidates: readonly Candidate[];
  readonly streaming: boolean;
  readonly send: SendUpstream;
  readonly readError: (candidate: Candidate, status: number, body: unknown) => UpstreamFailure;
  readonly readAnswer: (candidate: Candidate, body: unknown) => WholeAnswer;
  readonly openTranslator: (candidate: Candidate) => StreamTranslator;
  /** Told of each failure that is the provider's, before the next candidate is tried. */
  readonly onProviderFailure: (candidate: Candidate, error: unknown) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Sends to the candidates in turn until one answers. A failure that is the provider's moves on to
 * the next; a refusal that blames the request ends the search, for no other would take it.
 */
export async function dispatch(input: DispatchInput): Promise<Served> {
  let last: GatewayError | undefined;
  for (const candidate of input.candidates) {
    try {
      return await serve(candidate, input);
    } catch (error) {
      last = asGatewayError(error);
      if (last.code === 'invalid_request') break;
      input.onProviderFailure(candidate, error);
    }
  }
  throw last ?? new GatewayError('gateway', 'No provider could be asked. Please try again.');
}

async function serve(candidate: Candidate, input: DispatchInput): Promise<Served> {
  const sentAtMs = input.now();
  const answer = await input.send(candidate.deployment.provider, candidate.upstream);
  const { headers } = answer;
  if (answer.status !== 200) throw await refusal(candidate, answer, input);
  if (input.streaming) {
    const translator = input.openTranslator(candidate);
    const stream = await openStream(readEvents(answer.body), translator);
    const upstreamMs = input.now() - sentAtMs;
    return { kind: 'stream', candidate, headers, upstreamMs, stream, translator };
  }
  const raw = parseAnswer(await text(answer.body));
  const upstreamMs = input.now() - sentAtMs;
  const read = input.readAnswer(candidate, raw);
  return { kind: 'whole', candidate, headers, upstreamMs, raw, answer: read };
}

async function refusal(
  candidate: Candidate,
  answer: UpstreamAnswer,
  input: DispatchInput,
): Promise<GatewayError> {
  // The body of an error may be anything; what is no JSON has no message for the client.
  const body = parseJson(await text(answer.body));
  const failure = input.readError(candidate, answer.status, body);
  if (failure.blamesRequest) return new GatewayError('invalid_request', failure.message);
  const cause = new Error(`${candidate.deployment.provider} answered ${answer.status}`);
  const retryAfterMs = retryAfter(answer.headers);
  return new GatewayError('gateway', failure.message, {
    cause,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The provider's own wait, in milliseconds; dates are left out, for they are never exact. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms']);
  if (ms > 0) return ms;
  const seconds = Number(headers['retry-after']);
  return seconds > 0 ? seconds * 1000 : undefined;
}

function parseAnswer(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new GatewayError('gateway', 'The provider sent an unreadable answer. Please try again.', {
      cause,
    });
  }
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError('gateway', 'The provider could not be reached. Please try again.', {
    cause: error,
  });
}
