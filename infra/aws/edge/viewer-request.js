import cf from 'cloudfront';
// biome-ignore lint/style/useNodejsImportProtocol: the runtime is cloudfront-js-2.0, not Node.js
import crypto from 'crypto';

// The CloudFront Function before every request. What it knows is put in for the text below by
// `size-rule.ts` when the stack is made. The runtime is ECMAScript 5.1 with a few later features.
const SETTINGS = '__SETTINGS__';

/** Without a length these have no body; the others may bring one of any size. */
const BODILESS = ['GET', 'HEAD', 'OPTIONS', 'DELETE'];

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const request = event.request;
  const limit = isCompressed(request.headers) ? SETTINGS.compressed : SETTINGS.plain;
  const bytes = bodyBytes(request);
  if (bytes > limit.bytes) return refusal(limit, event.context.requestId);
  const large = SETTINGS.large;
  // An unknown length compares as false with every number: it counts as large.
  if (large && !(bytes <= large.aboveBytes)) cf.selectRequestOriginById(large.originId);
  return request;
}

/** Bytes of the body by its announcement; not a number where it announces none. */
function bodyBytes(request) {
  const length = request.headers['content-length'];
  if (length) return Number(length.value);
  return BODILESS.indexOf(request.method) < 0 ? NaN : 0;
}

function isCompressed(headers) {
  const encoding = headers['content-encoding'];
  return Boolean(encoding) && encoding.value.trim().toLowerCase() !== 'identity';
}

function refusal(limit, seed) {
  const headers = { 'x-request-id': { value: requestId(seed) } };
  Object.keys(SETTINGS.headers).forEach((name) => {
    headers[name] = { value: SETTINGS.headers[name] };
  });
  return {
    statusCode: SETTINGS.statusCode,
    headers: headers,
    body: { encoding: 'text', data: limit.answer },
  };
}

/** A UUIDv7, as every answer carries one; its random part is the hash of CloudFront's own ID. */
function requestId(seed) {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = crypto.createHash('sha256').update(seed).digest('hex');
  const variant = '89ab'[parseInt(random[3], 16) % 4];
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `${variant}${random.slice(4, 7)}`,
    random.slice(7, 19),
  ].join('-');
}
