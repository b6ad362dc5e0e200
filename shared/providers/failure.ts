import { GatewayError } from '../api/error.ts';
import type { UpstreamFailure } from './contract.ts';

/** What clients read of a failure that is the provider's or ours; nothing of its internals. */
export const NEUTRAL_FAILURE = 'The provider could not serve the request. Please try again.';
/** What clients read where the provider refused the request without a readable reason. */
export const UNEXPLAINED_REFUSAL = 'The provider refused the request without naming a reason.';

const LONGEST_MESSAGE = 2_000;
const REDACTED = '[redacted]';
/** Key prefixes of both families, JSON web tokens, authorization values, account identifiers. */
const CREDENTIALS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|sess|tg)[-_][\w*.-]{6,}/g,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /\b(?:org|proj)[-_]\w{8,}/g,
];
const LABELLED_CREDENTIAL =
  /\b(authorization(?:[_ ]token)?|bearer|basic|x-api-key|api[-_ ]key|access[-_ ]token|secret)((?:["']?\s*[:=]\s*["']?|\s+provided:\s*|\s+)(?:bearer\s+|basic\s+)?)([\w+/=*.-]{8,})/gi;

/** A provider's message without what looks like a credential or an account, at most 2,000 characters. */
export function scrubMessage(message: string): string {
  let text = message.slice(0, LONGEST_MESSAGE);
  for (const pattern of CREDENTIALS) text = text.replace(pattern, REDACTED);
  return text.replace(LABELLED_CREDENTIAL, (whole, label: string, link: string, value: string) =>
    // A word of prose after "api key" is no credential; one with a digit or a key's punctuation is.
    /[\d_=*]/.test(value) ? `${label}${link}${REDACTED}` : whole,
  );
}

/** The provider's answer ended early or could not be read. */
export function brokenAnswer(cause?: unknown): GatewayError {
  return new GatewayError('gateway', 'The provider broke off its answer. Please try again.', {
    cause,
  });
}

/** The error that the client sees: 400 where the request is to blame, else a neutral 500. */
export function failureError(failure: UpstreamFailure, cause?: unknown): GatewayError {
  return new GatewayError(failure.blamesRequest ? 'invalid_request' : 'gateway', failure.message, {
    cause,
  });
}
