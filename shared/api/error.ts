/**
 * The one table of errors that leave the service (part 7 of the specification).
 * The code names the condition; status and type are what the client sees.
 */
export const ERRORS = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  authentication: { status: 401, type: 'authentication_error' },
  billing: { status: 402, type: 'billing_error' },
  permission: { status: 403, type: 'permission_denied' },
  not_found: { status: 404, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  too_large: { status: 413, type: 'invalid_request_error' },
  rate_limit: { status: 429, type: 'rate_limit_error' },
  gateway: { status: 500, type: 'gateway_error' },
  catalog_unavailable: { status: 500, type: 'internal_error' },
  ledger_unavailable: { status: 503, type: 'gateway_error' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface GatewayErrorOptions {
  readonly cause?: unknown;
  /** How long the client should wait before it tries again, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** The only error a client may see: its message is shown as it stands, so it holds no secret. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'GatewayError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * What the client may be told of any error: itself where it was made for clients, else a neutral 500
 * with the error as its cause.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError('gateway', 'An unexpected error occurred. Please try again.', {
    cause: error,
  });
}

/** A 400 that names the field at fault and what to do about it. */
export function invalidRequest(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}

/** What a client reads of an error (part 7). */
export interface ErrorBody {
  readonly error: { readonly message: string; readonly type: string };
}

/** The body of an error answer or error frame: the client's message and the type of its condition. */
export function errorBody(error: GatewayError): ErrorBody {
  return { error: { message: error.message, type: ERRORS[error.code].type } };
}
