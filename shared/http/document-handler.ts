import { createHash } from 'node:crypto';
import { isoDate } from '../catalog/public.ts';
import type { Telemetry } from '../telemetry/request-log.ts';
import { type FunctionUrlEvent, type FunctionUrlResponse, wholeBody } from './function-url.ts';
import {
  functionUrlHandler,
  giveRequestId,
  onlyRoute,
  requestIdOf,
  type Unit,
} from './middleware.ts';

export interface DocumentOptions {
  readonly path: string;
  /** Makes the JSON text; called until it succeeds once, and again when `today` changes. */
  readonly render: (today: string) => string;
  readonly newUuid: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
  /** Stand before the route. */
  readonly edgeLock: readonly Unit[];
}

interface Rendered {
  readonly today: string;
  readonly text: string;
  readonly etag: string;
}

/** The handler of a public GET route: one JSON document with an `ETag`, 304 when it is known. */
export function documentHandler(options: DocumentOptions) {
  let rendered: Rendered | undefined;
  const document = (): Rendered => {
    const today = isoDate(options.now());
    if (rendered?.today !== today) rendered = { today, ...withEtag(options.render(today)) };
    return rendered;
  };
  return functionUrlHandler({
    units: [giveRequestId(options.newUuid), ...options.edgeLock, onlyRoute('GET', options.path)],
    handler: async (event) => answer(event, document()),
    onFault: (error, requestId) => options.telemetry.fault('request_failed', error, { requestId }),
  });
}

function withEtag(text: string): { text: string; etag: string } {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  return { text, etag: `"${digest}"` };
}

function answer(event: FunctionUrlEvent, { text, etag }: Rendered): FunctionUrlResponse {
  const headers = {
    etag,
    'cache-control': 'public, max-age=300',
    'x-request-id': requestIdOf(event),
  };
  if (isKnown(event.headers['if-none-match'], etag)) {
    return { statusCode: 304, headers, body: '' };
  }
  const json = { 'content-type': 'application/json', ...headers };
  return { statusCode: 200, headers: json, body: wholeBody(text) };
}

/** Weak comparison, as `If-None-Match` asks for: a proxy may have made the tag a weak one. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
