import type { GatewayError } from '../../api/error.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import type { UpstreamFailure } from '../contract.ts';
import { failureError, NEUTRAL_FAILURE, scrubMessage, UNEXPLAINED_REFUSAL } from '../failure.ts';

/** The status that each error type stands for, for error events, which have none. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

const BLAMING_STATUSES: ReadonlySet<number> = new Set([400, 404, 413, 422]);
const CREDENTIAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

/**
 * Refusals that come with a blaming status but concern us: the account's credit or limits, and a
 * model that our catalog has and the provider does not.
 */
const OUR_FAULTS = [/credit balance/i, /plans? (?:&|and) billing/i, /usage limits?\b/i, /^model:/i];

/** What the provider's refusal by status means. `body` is the parsed body, whatever it is. */
export function readError(status: number, body: unknown): UpstreamFailure {
  const message = messageOf(body);
  const ours = OUR_FAULTS.some((pattern) => pattern.test(message));
  const blamesRequest = BLAMING_STATUSES.has(status) && !ours;
  return {
    blamesRequest,
    message: blamesRequest ? scrubMessage(message) || UNEXPLAINED_REFUSAL : NEUTRAL_FAILURE,
    retryable: !(blamesRequest || ours || CREDENTIAL_STATUSES.has(status)),
  };
}

/** The error that an `error` event, or an error in place of a message, is for the client. */
export function readErrorEvent(event: JsonObject): GatewayError {
  const { error } = event;
  const type = isJsonObject(error) && typeof error.type === 'string' ? error.type : '';
  const cause = new Error(`the provider's stream reported ${type || 'an error'}`);
  return failureError(readError(STATUSES.get(type) ?? 500, event), cause);
}

function messageOf(body: unknown): string {
  const error = isJsonObject(body) ? body.error : undefined;
  return isJsonObject(error) && typeof error.message === 'string' ? error.message : '';
}
