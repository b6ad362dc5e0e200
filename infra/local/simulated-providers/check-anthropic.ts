import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/api/json.ts';
import { checkConversation } from './check-anthropic-turns.ts';
import type { RequestHeaders } from './exchange.ts';
import { objectsIn, textIn } from './json-parts.ts';
import { ProviderRefusal, refuseUnknown } from './refusal.ts';

const FIELDS = [
  'model messages max_tokens metadata stop_sequences stream system temperature thinking tools',
  'tool_choice top_k top_p service_tier output_config inference_geo cache_control container',
]
  .join(' ')
  .split(' ');
/** Fields that are known only together with a beta header. */
const BETA_FIELDS: Readonly<Record<string, string>> = {
  mcp_servers: 'mcp-client-2025-11-20',
  speed: 'fast-mode-2026-02-01',
  context_management: 'context-management-2025-06-27',
};
const LEAST_BUDGET = 1024;
const MOST_CACHE_MARKERS = 4;

const extraInput = (name: string) => `${name}: Extra inputs are not permitted`;

/** Refuses what Anthropic's messages API refuses, in its words. */
export function checkMessages(body: JsonObject, headers: RequestHeaders): void {
  if (headers['anthropic-version'] === undefined) {
    throw new ProviderRefusal('anthropic-version: header is required');
  }
  const betas = String(headers['anthropic-beta'] ?? '').split(/\s*,\s*/);
  const known = Object.keys(BETA_FIELDS).filter((name) => betas.includes(BETA_FIELDS[name] ?? ''));
  // Compaction has a beta of its own within the same field.
  if (betas.includes('compact-2026-01-12')) known.push('context_management');
  refuseUnknown(body, [...FIELDS, ...known], extraInput);
  if (textIn(body.model) === '') throw new ProviderRefusal('model: Field required');
  checkMaxTokens(body.max_tokens);
  checkSampling(body);
  checkThinking(body);
  checkTools(body);
  if (countMarkers(body) > MOST_CACHE_MARKERS) {
    throw new ProviderRefusal('A maximum of 4 blocks with cache_control may be provided.');
  }
  checkSystem(body.system);
  checkConversation(objectsIn(body.messages));
}

function checkMaxTokens(cap: JsonValue | undefined): void {
  if (cap === undefined) throw new ProviderRefusal('max_tokens: Field required');
  if (typeof cap !== 'number' || !Number.isInteger(cap) || cap < 0) {
    throw new ProviderRefusal('max_tokens: Input should be a valid non-negative integer');
  }
}

function checkSampling(body: JsonObject): void {
  if (body.temperature !== undefined && body.top_p !== undefined) {
    throw new ProviderRefusal('`temperature` and `top_p` cannot both be specified for this model.');
  }
}

function checkThinking(body: JsonObject): void {
  const { thinking, max_tokens, temperature, tool_choice } = body;
  if (!isJsonObject(thinking) || thinking.type === 'disabled') return;
  if (thinking.type === 'enabled') checkBudget(thinking.budget_tokens, max_tokens);
  if (temperature !== undefined && temperature !== 1) {
    throw new ProviderRefusal('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (isJsonObject(tool_choice) && ['any', 'tool'].includes(textIn(tool_choice.type))) {
    throw new ProviderRefusal('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

function checkBudget(budget: JsonValue | undefined, cap: JsonValue | undefined): void {
  if (typeof budget !== 'number' || budget < LEAST_BUDGET) {
    throw new ProviderRefusal(
      'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    );
  }
  if (typeof cap === 'number' && budget >= cap) {
    throw new ProviderRefusal('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
}

function checkTools({ tools, tool_choice }: JsonObject): void {
  const names = new Set<string>();
  for (const tool of objectsIn(tools)) {
    if (tool.type === 'mcp_toolset') continue;
    const name = textIn(tool.name);
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      throw new ProviderRefusal("tools.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
    }
    if (names.has(name)) throw new ProviderRefusal('tools: Tool names must be unique.');
    names.add(name);
    const schema = tool.input_schema;
    const custom = tool.type === undefined || tool.type === 'custom';
    if (custom && !(isJsonObject(schema) && schema.type === 'object')) {
      throw new ProviderRefusal("tools.custom.input_schema.type: Input should be 'object'");
    }
  }
  const forced = isJsonObject(tool_choice) && tool_choice.type === 'tool' && tool_choice.name;
  if (typeof forced === 'string' && !names.has(forced)) {
    throw new ProviderRefusal(`Tool '${forced}' not found in provided tools`);
  }
}

function countMarkers(value: JsonValue | undefined): number {
  if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + countMarkers(part), 0);
  if (!isJsonObject(value)) return 0;
  const own = isJsonObject(value.cache_control) ? 1 : 0;
  const parts = [value.system, value.messages, value.content, value.tools];
  return parts.reduce((sum: number, part) => sum + countMarkers(part), own);
}

function checkSystem(system: JsonValue | undefined): void {
  for (const { text } of objectsIn(system)) {
    if (textIn(text) === '')
      throw new ProviderRefusal('system: text content blocks must be non-empty');
  }
}
