import { ERRORS, type ErrorCode } from '../../shared/api/error.ts';
import { ERROR_EXAMPLES } from './examples/errors.ts';
import { headerRefs, RATE_LIMIT_HEADERS, requiredHeaders } from './headers.ts';
import { ref, type Schema } from './schema.ts';

/** A part of the document: JSON, whose form the validator of OpenAPI documents checks. */
export type Part = Readonly<Record<string, unknown>>;

interface Example {
  readonly summary: string;
  readonly message: string;
}

interface Condition {
  readonly about: string;
  /** Headers that the answer may carry beside those of every answer. */
  readonly may: readonly string[];
  /** Headers that it always carries. */
  readonly must?: readonly string[];
}

const NO_RETRY = ['x-should-retry'];
const WAIT = ['retry-after', 'retry-after-ms'];

/** What each error means. */
const CONDITIONS: Readonly<Record<ErrorCode, Condition>> = {
  invalid_request: {
    about:
      'The request cannot be sent as it is: malformed, a field missing, unknown, of the wrong type, refused, or not taken by the model. It costs nothing and takes no token of the bucket. Or the provider itself refused the request, which costs nothing either.',
    may: RATE_LIMIT_HEADERS,
  },
  authentication: { about: 'The API key is missing or wrong.', may: [] },
  billing: {
    about:
      "The account's balance does not cover the most that the request can cost, or the key's lifetime or recurring spend limit is exhausted. A lower output cap makes the hold smaller.",
    may: RATE_LIMIT_HEADERS,
    must: NO_RETRY,
  },
  permission: {
    about: 'The key is disabled or has expired; an expired key is disabled at its first use.',
    may: RATE_LIMIT_HEADERS,
    must: NO_RETRY,
  },
  not_found: {
    about: 'No such route: the path is unknown, or takes another method.',
    may: [],
  },
  conflict: {
    about:
      "The gateway's internal request ID was finalized, has expired, or was used with other parameters. The gateway makes the ID and tries again by itself, so a client practically never sees this.",
    may: RATE_LIMIT_HEADERS,
    must: NO_RETRY,
  },
  too_large: {
    about: 'The body is larger than 100,000,000 bytes after decompression.',
    may: RATE_LIMIT_HEADERS,
  },
  rate_limit: {
    about: "The key's token bucket is empty. Waiting as long as `retry-after` says works.",
    may: [],
    must: [...WAIT, ...RATE_LIMIT_HEADERS],
  },
  gateway: {
    about:
      'The provider failed before its first event, and so did every other provider of the model that may be asked; or the gateway itself did. Nothing is charged. `retry-after` is there where the provider named a time.',
    may: [...WAIT, ...RATE_LIMIT_HEADERS],
  },
  catalog_unavailable: { about: 'The catalog is unavailable.', may: [] },
  ledger_unavailable: {
    about:
      'The billing database could not be reached while the hold was placed. The provider was not called, and nothing was charged.',
    may: RATE_LIMIT_HEADERS,
  },
};

/** The response of one error code, with its examples. */
export function errorResponse(code: ErrorCode, examples: Readonly<Record<string, Example>>): Part {
  const { about, may, must = [] } = CONDITIONS[code];
  const { type } = ERRORS[code];
  const shown = Object.entries(examples).map(([name, { summary, message }]) => [
    name,
    { summary, value: { error: { message, type } } },
  ]);
  return {
    description: `\`${type}\`: ${about}`,
    headers: { ...requiredHeaders(...must), ...headerRefs('x-request-id', ...may) },
    content: { 'application/json': { schema: ref('Error'), examples: Object.fromEntries(shown) } },
  };
}

const COMPONENT_NAMES: Readonly<Record<keyof typeof ERROR_EXAMPLES, string>> = {
  authentication: 'Unauthorized',
  billing: 'PaymentRequired',
  permission: 'Forbidden',
  not_found: 'NotFound',
  conflict: 'Conflict',
  too_large: 'TooLarge',
  rate_limit: 'TooManyRequests',
  gateway: 'GatewayFailure',
  catalog_unavailable: 'CatalogUnavailable',
  ledger_unavailable: 'LedgerUnavailable',
};

// The keys of the table are its codes.
const SHARED_CODES = Object.keys(ERROR_EXAMPLES) as (keyof typeof ERROR_EXAMPLES)[];

/** The responses that several operations have. */
export function responseComponents(): Part {
  const errors = SHARED_CODES.map((code) => [
    COMPONENT_NAMES[code],
    errorResponse(code, ERROR_EXAMPLES[code]),
  ]);
  const preflight = {
    description: 'The preflight is allowed.',
    headers: headerRefs(
      'x-request-id',
      'access-control-allow-methods',
      'access-control-allow-headers',
      'access-control-max-age',
      'vary',
    ),
  };
  const notModified = {
    description: 'The document is still the one that `If-None-Match` names. No body.',
    headers: headerRefs('x-request-id', 'etag', 'cache-control'),
  };
  return { ...Object.fromEntries(errors), NotModified: notModified, Preflight: preflight };
}

/** References to the responses of error codes, by status. */
export function errorRefs(
  ...codes: readonly (keyof typeof ERROR_EXAMPLES)[]
): Record<string, Schema> {
  return Object.fromEntries(
    codes.map((code) => [
      String(ERRORS[code].status),
      { $ref: `#/components/responses/${COMPONENT_NAMES[code]}` },
    ]),
  );
}
