import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, errorBody } from '../../../shared/api/error.ts';
import { COMMON_HEADERS } from '../../../shared/http/headers.ts';
import { BODY_LIMIT_BYTES, bodyTooLarge } from '../../../shared/http/request-body.ts';

/**
 * Bytes of the event in which Lambda takes a request: body, headers and envelope as one JSON text.
 * A body that is longer by itself fits under no circumstances (`docs/decisions/0014`).
 */
const EVENT_LIMIT_BYTES = 6 * 1024 * 1024;
/** A compressed body travels as base64: four characters for three bytes. */
const COMPRESSED_LIMIT_BYTES = (EVENT_LIMIT_BYTES / 4) * 3;
/** Whatever a body of so many bytes is made of, its event is not too long: a third, for six-character escapes. */
const SURE_TO_FIT_BYTES = 2_000_000;

/** The origin for the bodies that a function cannot take. */
export interface LargeOrigin {
  /** Its ID within the distribution. */
  readonly id: string;
}

/**
 * Source of the CloudFront Function that holds requests to the size that can be answered: a 413 of
 * ours for what no origin takes, and where there is a large origin, the way there.
 */
export function sizeRuleSource(large?: LargeOrigin): string {
  const settings = JSON.stringify(large ? withLargeOrigin(large) : functionsAlone());
  const source = readFileSync(join(import.meta.dirname, 'viewer-request.js'), 'utf8');
  return source.replace("'__SETTINGS__'", () => settings);
}

/** Only what cannot fit is refused: the rest is the platform's to judge, which counts the event itself. */
function functionsAlone() {
  return {
    ...REFUSAL,
    plain: limitOf(EVENT_LIMIT_BYTES),
    compressed: limitOf(COMPRESSED_LIMIT_BYTES),
  };
}

/** Only what surely fits goes to the functions: the large origin serves the rest just as well. */
function withLargeOrigin({ id }: LargeOrigin) {
  const limit = limitOf(BODY_LIMIT_BYTES);
  const large = { originId: id, aboveBytes: SURE_TO_FIT_BYTES };
  return { ...REFUSAL, plain: limit, compressed: limit, large };
}

function limitOf(bytes: number) {
  return { bytes, answer: JSON.stringify(errorBody(bodyTooLarge(bytes))) };
}

const REFUSAL = {
  statusCode: ERRORS.too_large.status,
  headers: { ...COMMON_HEADERS, 'content-type': 'application/json' },
};
