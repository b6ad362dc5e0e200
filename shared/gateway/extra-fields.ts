import { invalidRequest } from '../api/error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { quoted } from '../api/quoted.ts';
import type { GatewayRoute } from '../catalog/types.ts';
import type { Candidate } from './prepare.ts';

/** Names that `X-Gateway-Return-Extra-Fields` may hold (part 4). */
export const EXTRA_FIELDS = [
  'provider',
  'model_requested',
  'model_deployment',
  'latency',
  'provider_response_headers',
  'raw_request',
  'raw_response',
] as const;

const REDACTED = '[redacted]';

export type ExtraField = (typeof EXTRA_FIELDS)[number];

/** Reads `X-Gateway-Return-Extra-Fields` (part 4): names separated by commas; an unknown one is a 400. */
export function readExtraFields(header: string | undefined): ReadonlySet<ExtraField> {
  const wanted = new Set<ExtraField>();
  for (const part of (header ?? '').split(',')) {
    const name = part.trim().toLowerCase();
    if (name === '') continue;
    const known = EXTRA_FIELDS.find((field) => field === name);
    if (!known) {
      throw invalidRequest(
        `X-Gateway-Return-Extra-Fields: unknown field ${quoted(name)}. Use any of ${EXTRA_FIELDS.join(', ')}.`,
      );
    }
    wanted.add(known);
  }
  return wanted;
}

export interface ExtraFieldSource {
  readonly modelRequested: string;
  readonly candidate: Candidate;
  /** Response headers that the catalog lets through, lower case. */
  readonly approvedHeaders: readonly string[];
  /** Milliseconds since the request arrived. */
  readonly latencyMs: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The provider's whole body, or the list of its stream events. */
  readonly rawResponse: unknown;
}

/** The `gateway` object (2.9) with the wanted fields. */
export function gatewayObject(
  wanted: ReadonlySet<ExtraField>,
  source: ExtraFieldSource,
): JsonObject {
  const { candidate } = source;
  const values: Record<ExtraField, () => JsonValue> = {
    provider: () => candidate.deployment.provider,
    latency: () => Math.round(source.latencyMs),
    model_requested: () => source.modelRequested,
    model_deployment: () => candidate.deployment.id,
    provider_response_headers: () => relayedHeaders(source),
    raw_request: () => redact(candidate.upstream.body, REQUEST_ADDRESSES),
    raw_response: () => redact(source.rawResponse, RESPONSE_ADDRESSES),
  };
  const fields: JsonObject = {};
  for (const field of EXTRA_FIELDS) if (wanted.has(field)) fields[field] = values[field]();
  return fields;
}

function relayedHeaders({ approvedHeaders, responseHeaders }: ExtraFieldSource): JsonObject {
  const approved: JsonObject = {};
  for (const name of approvedHeaders) {
    if (responseHeaders[name] !== undefined) approved[name] = responseHeaders[name];
  }
  return approved;
}

const CREDENTIAL_FIELD =
  /^(?:authorization|authorization_token|api[-_]?key|x-api-key|access_token|password|secret)$/i;
const IDENTITY_FIELD = /^(?:safety_identifier|user|user_id)$/;
const REQUEST_ADDRESSES = /^(?:url|server_url)$/;
const RESPONSE_ADDRESSES = /^server_url$/;

/** A copy without anything a credential could stand in, at any depth (part 2.4, `mcp_servers`). */
function redact(value: unknown, addresses: RegExp, field = ''): JsonValue {
  if (value === null || value === undefined) return null;
  if (field === 'headers') return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redact(item, addresses));
  if (typeof value === 'object') {
    const copy: JsonObject = {};
    for (const [key, inner] of Object.entries(value)) {
      const inside = key === 'mcp_servers' ? REQUEST_ADDRESSES : addresses;
      copy[key] = redact(inner, inside, key);
    }
    return copy;
  }
  if (typeof value === 'string') return redactText(value, addresses, field);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function redactText(text: string, addresses: RegExp, field: string): string {
  if (CREDENTIAL_FIELD.test(field) || IDENTITY_FIELD.test(field)) return REDACTED;
  return addresses.test(field) ? withoutUrlSecrets(text) : text;
}

/** Addresses may carry a credential as user info or in their query. */
function withoutUrlSecrets(address: string): string {
  return address.replace(/\/\/[^/@]*@/, `//${REDACTED}@`).replace(/\?.*$/s, `?${REDACTED}`);
}

const FINAL_EVENTS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Puts the object on the last JSON frame of the answer: the usage chunk, or the final response. */
export function addToLastFrame(
  route: GatewayRoute,
  frame: string,
  makeObject: () => JsonObject,
): string {
  const parsed: JsonObject = JSON.parse(frame);
  if (route === 'chat-completions') {
    const isUsageChunk = Array.isArray(parsed.choices) && parsed.choices.length === 0;
    if (!isUsageChunk || !parsed.usage) return frame;
    return JSON.stringify({ ...parsed, gateway: makeObject() });
  }
  if (!FINAL_EVENTS.has(String(parsed.type))) return frame;
  const { response } = parsed;
  if (!isJsonObject(response)) return frame;
  return JSON.stringify({ ...parsed, response: { ...response, gateway: makeObject() } });
}
