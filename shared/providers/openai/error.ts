import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { UpstreamFailure } from '../contract.ts';
import { NEUTRAL_FAILURE, scrubMessage, UNEXPLAINED_REFUSAL } from '../failure.ts';

/** Overload, outage, or our own credentials refused: another provider may well serve the request. */
const PROVIDER_FAILURE: UpstreamFailure = {
  blamesRequest: false,
  message: NEUTRAL_FAILURE,
  retryable: true,
};

/** Statuses by which the provider says that the request is at fault. */
const BLAMING_STATUSES = new Set([400, 404, 413, 422]);

/** Error types and codes by which a stream's error event, which has no status, blames the request. */
const BLAMING_CODES = new Set([
  'invalid_request_error',
  'invalid_prompt',
  'context_length_exceeded',
  'content_filter',
  'content_policy_violation',
  'bio_policy',
  'misalignment_policy_violation',
]);

/** The provider does not know the model that our catalog says it has: not the client's fault. */
const OUR_FAULT_CODES = new Set(['model_not_found', 'DeploymentNotFound']);

/** What the provider's refusal by status means. `body` is whatever came with it. */
export function readError(status: number, body: unknown): UpstreamFailure {
  const error = errorObject(body);
  const blames = BLAMING_STATUSES.has(status) && !namesOneOf(error, OUR_FAULT_CODES);
  return blames ? blame(error) : PROVIDER_FAILURE;
}

/** What an error inside a 200 stream or a failed response's `error` means. */
export function readStreamError(body: unknown): UpstreamFailure {
  const error = errorObject(body);
  return namesOneOf(error, BLAMING_CODES) ? blame(error) : PROVIDER_FAILURE;
}

function blame(error: JsonObject): UpstreamFailure {
  const message = typeof error.message === 'string' && error.message !== '' ? error.message : '';
  return {
    blamesRequest: true,
    message: scrubMessage(message) || UNEXPLAINED_REFUSAL,
    retryable: false,
  };
}

/** `{error: {...}}`, or the error itself, as `error` events of the responses API have it. */
function errorObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) return {};
  return isJsonObject(body.error) ? body.error : body;
}

function namesOneOf(error: JsonObject, names: ReadonlySet<string>): boolean {
  const named = (value: JsonValue | undefined) => typeof value === 'string' && names.has(value);
  return named(error.code) || named(error.type);
}
