import type { JsonObject, JsonValue } from '../api/json.ts';
import { estimateTokens, type Tokenizer } from './tokens.ts';

/** What a translated request's body can cost in tokens. */
export interface RequestTokens {
  /** Never fewer than the provider will count; at least one over `limit` where it stopped there. */
  readonly input: number;
  /** Predicted output: what the model rejects of it is billed as output beyond its cap. */
  readonly prediction: number;
  /** A cache marker asks for one hour. */
  readonly hourCache: boolean;
}

/** Tokens that a provider adds around what the request says, as observed and rounded up. */
interface Overheads {
  readonly request: number;
  readonly message: number;
  readonly block: number;
  readonly tool: number;
  /** The provider's own instructions, added once a tool or an output format is declared. */
  readonly hiddenPrompt: number;
  /** Over the sum of the texts. */
  readonly margin: number;
}

const OVERHEADS: Record<Tokenizer, Overheads> = {
  o200k: { request: 64, message: 12, block: 8, tool: 32, hiddenPrompt: 0, margin: 1.03 },
  anthropic: { request: 128, message: 20, block: 12, tool: 48, hiddenPrompt: 640, margin: 1 },
};

/** How a value is rendered: as messages, as blocks of text, as tool definitions, as JSON with its keys. */
type Rendering = 'messages' | 'blocks' | 'tools' | 'json';

const RENDERINGS: Readonly<Record<string, Rendering>> = {
  messages: 'messages',
  input: 'messages',
  system: 'blocks',
  instructions: 'blocks',
  tools: 'tools',
};
/** Top-level fields that never reach the model. */
const NOT_PROMPT = new Set([
  'model',
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
  'prediction',
  'include',
]);
/** Discriminators within messages and blocks, covered by their overhead. */
const COVERED = new Set(['type', 'role', 'status']);
const JSON_KEY_OVERHEAD = 2;
const JSON_VALUE_OVERHEAD = 1;

interface Walk {
  readonly tokenizer: Tokenizer;
  readonly overheads: Overheads;
  /** Values still to visit: a list, not recursion, so that depth cannot exhaust the stack. */
  readonly pending: { value: JsonValue | undefined; rendering: Rendering }[];
  readonly limit: number;
  tokens: number;
  hourCache: boolean;
}

/**
 * Counts a request's body in one pass over its values, without writing it as text.
 * Counting stops soon after `limit` tokens, the model's context window.
 */
export function countRequestTokens(
  body: JsonObject,
  tokenizer: Tokenizer,
  limit: number,
): RequestTokens {
  const walk = startWalk(tokenizer, limit);
  for (const [key, value] of Object.entries(body)) {
    if (key === 'cache_control') {
      noteCacheMarker(walk, value);
    } else if (!NOT_PROMPT.has(key) && (RENDERINGS[key] || isContainer(value))) {
      walk.pending.push({ value, rendering: RENDERINGS[key] ?? 'json' });
    }
  }
  finish(walk);
  const { overheads } = walk;
  const hidden = addsHiddenPrompt(body) ? overheads.hiddenPrompt : 0;
  const prediction = startWalk(tokenizer, limit);
  prediction.pending.push({ value: body.prediction, rendering: 'json' });
  finish(prediction);
  return {
    input: Math.ceil(walk.tokens * overheads.margin) + overheads.request + hidden,
    prediction: Math.ceil(prediction.tokens * overheads.margin),
    hourCache: walk.hourCache,
  };
}

function startWalk(tokenizer: Tokenizer, limit: number): Walk {
  const overheads = OVERHEADS[tokenizer];
  return { tokenizer, overheads, pending: [], limit, tokens: 0, hourCache: false };
}

function finish(walk: Walk): void {
  for (let next = walk.pending.pop(); next; next = walk.pending.pop()) {
    // The marker decides a price, so objects are still visited when the count is full.
    visit(walk, next.value, next.rendering);
  }
}

function visit(walk: Walk, value: JsonValue | undefined, rendering: Rendering): void {
  if (typeof value === 'string') {
    addText(walk, value, rendering);
  } else if (Array.isArray(value)) {
    visitList(walk, value, rendering);
  } else if (typeof value === 'object' && value !== null) {
    visitObject(walk, value, rendering);
  } else if (rendering === 'json' && value !== undefined) {
    addText(walk, String(value), rendering);
  }
}

function addText(walk: Walk, text: string, rendering: Rendering): void {
  if (walk.tokens > walk.limit) {
    return;
  }
  walk.tokens += estimateTokens(text, walk.tokenizer, walk.limit - walk.tokens);
  walk.tokens += rendering === 'json' ? JSON_VALUE_OVERHEAD : 0;
}

function visitList(walk: Walk, list: readonly JsonValue[], rendering: Rendering): void {
  const inner = rendering === 'messages' ? 'blocks' : rendering === 'tools' ? 'json' : rendering;
  walk.tokens += list.length * elementOverhead(walk.overheads, rendering);
  for (const value of list) {
    walk.pending.push({ value, rendering: inner });
  }
}

function elementOverhead(overheads: Overheads, rendering: Rendering): number {
  switch (rendering) {
    case 'messages':
      return overheads.message;
    case 'blocks':
      return overheads.block;
    case 'tools':
      return overheads.tool;
    case 'json':
      return JSON_VALUE_OVERHEAD;
  }
}

function visitObject(walk: Walk, object: JsonObject, rendering: Rendering): void {
  const asJson = rendering === 'json';
  for (const [key, value] of Object.entries(object)) {
    if (key === 'cache_control') {
      noteCacheMarker(walk, value);
    } else if (asJson) {
      addText(walk, key, 'json');
      walk.tokens += JSON_KEY_OVERHEAD;
      walk.pending.push({ value, rendering: 'json' });
    } else if (!COVERED.has(key)) {
      // Within a message a list holds blocks, and an object (a tool's input) is shown as JSON.
      const nested = isContainer(value) && !Array.isArray(value);
      walk.pending.push({ value, rendering: nested ? 'json' : 'blocks' });
    }
  }
}

function noteCacheMarker(walk: Walk, marker: JsonValue | undefined): void {
  walk.hourCache ||= isContainer(marker) && !Array.isArray(marker) && marker.ttl === '1h';
}

function addsHiddenPrompt(body: JsonObject): boolean {
  const format = isContainer(body.output_config) && 'format' in body.output_config;
  return format || (Array.isArray(body.tools) && body.tools.length > 0);
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}
