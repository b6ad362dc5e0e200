import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../api/json.ts';
import type { ReasoningSeal, SearchAction, StreamPart } from '../../api/stream-part.ts';
import { encodeRedacted, encodeThinking, REASONING_FORMAT } from './reasoning-codec.ts';

/** One content block while it is read. */
export interface OpenBlock {
  readonly index: number;
  /** The block as its start event or the whole message has it. */
  readonly start: JsonObject;
  /** Text or thinking so far, or the pieces of a tool's input as they came. */
  text: string;
  signature: string | undefined;
  /** Citations come before the text that they are for, and wait for it. */
  readonly citations: JsonObject[];
}

/** What blocks leave for later ones. */
export interface BlockMemory {
  /** Addresses of the documents fetched so far: citations name a document by its number. */
  readonly fetchedUrls: string[];
}

interface BlockReader {
  readonly start?: (block: OpenBlock, memory: BlockMemory) => Parts;
  /** One delta, by its type. */
  readonly delta?: (block: OpenBlock, delta: JsonObject) => Parts;
  readonly stop?: (block: OpenBlock, memory: BlockMemory) => Parts;
}

/**
 * One reader for each type of block. Blocks of any other type (code that a search runs, what may
 * come to be) are the provider's own business and give no parts.
 */
const READERS: ReadonlyMap<string, BlockReader> = new Map<string, BlockReader>([
  ['text', { start: startText, delta: readTextDelta, stop: citationParts }],
  ['thinking', { start: startThinking, delta: readThinkingDelta, stop: stopThinking }],
  ['redacted_thinking', { start: readRedacted }],
  ['tool_use', { start: startToolUse, delta: readToolDelta, stop: stopToolUse }],
  ['server_tool_use', { delta: readHostedDelta, stop: stopServerTool }],
  ['mcp_tool_use', { delta: readHostedDelta, stop: stopMcpTool }],
  ['web_search_tool_result', { start: readSearchResult }],
  ['web_fetch_tool_result', { start: readFetchResult }],
  ['mcp_tool_result', { start: readMcpResult }],
]);

type Parts = readonly StreamPart[];

const NOTHING: Parts = [];

/** A block of which only the beginning is known: its start event's, or the whole of it. */
export function openBlock(index: number, start: JsonObject): OpenBlock {
  return { index, start, text: '', signature: undefined, citations: [] };
}

/** The parts that a block's beginning gives. */
export function startBlock(block: OpenBlock, memory: BlockMemory): Parts {
  return readerOf(block)?.start?.(block, memory) ?? NOTHING;
}

/** The parts that one delta of a block gives; a delta of another type than the block's gives none. */
export function readBlockDelta(block: OpenBlock, delta: JsonObject): Parts {
  return readerOf(block)?.delta?.(block, delta) ?? NOTHING;
}

/** The parts that a block gives once it is whole. */
export function stopBlock(block: OpenBlock, memory: BlockMemory): Parts {
  return readerOf(block)?.stop?.(block, memory) ?? NOTHING;
}

/** A block that broke off: of a call, only what came is relayed, and nothing is sealed. */
export function abandonBlock(block: OpenBlock, memory: BlockMemory): Parts {
  return block.start.type === 'text' ? citationParts(block, memory) : NOTHING;
}

function readerOf(block: OpenBlock): BlockReader | undefined {
  return READERS.get(text(block.start.type));
}

function startText(block: OpenBlock): Parts {
  const { start } = block;
  if (Array.isArray(start.citations)) block.citations.push(...start.citations.filter(isJsonObject));
  return textParts(block, text(start.text));
}

function readTextDelta(block: OpenBlock, delta: JsonObject): Parts {
  if (delta.type === 'text_delta') return textParts(block, text(delta.text));
  if (delta.type === 'citations_delta' && isJsonObject(delta.citation)) {
    block.citations.push(delta.citation);
  }
  return NOTHING;
}

function textParts(block: OpenBlock, added: string): Parts {
  if (added === '') return NOTHING;
  block.text += added;
  return [{ type: 'text-delta', text: added }];
}

/** A citation is for the whole text of its block. */
function citationParts(block: OpenBlock, { fetchedUrls }: BlockMemory): Parts {
  return block.citations.map((citation) => {
    const url = citationUrl(citation, fetchedUrls);
    const title = text(citation.title) || text(citation.document_title) || url;
    return { type: 'citation', url, title, length: block.text.length };
  });
}

/** Web results name their address, other search results their source, documents their number. */
function citationUrl(citation: JsonObject, fetchedUrls: readonly string[]): string {
  const { document_index } = citation;
  const fetched = typeof document_index === 'number' ? fetchedUrls[document_index] : undefined;
  return text(citation.url) || text(citation.source) || (fetched ?? '');
}

function startThinking(block: OpenBlock): Parts {
  const { thinking, signature } = block.start;
  setSignature(block, signature);
  const begun: StreamPart = { type: 'reasoning-start', format: REASONING_FORMAT };
  return [begun, ...thinkingParts(block, text(thinking))];
}

function readThinkingDelta(block: OpenBlock, delta: JsonObject): Parts {
  if (delta.type === 'thinking_delta') return thinkingParts(block, text(delta.thinking));
  if (delta.type === 'signature_delta') setSignature(block, delta.signature);
  return NOTHING;
}

/** Start events carry an empty signature, which is none. */
function setSignature(block: OpenBlock, signature: JsonValue | undefined): void {
  if (typeof signature === 'string' && signature !== '') block.signature = signature;
}

function thinkingParts(block: OpenBlock, added: string): Parts {
  if (added === '') return NOTHING;
  block.text += added;
  return [{ type: 'reasoning-delta', text: added }];
}

function stopThinking({ text: thinking, signature }: OpenBlock): Parts {
  const seal: ReasoningSeal =
    signature === undefined
      ? { encryptedContent: null }
      : { signature, encryptedContent: encodeThinking({ thinking, signature }) };
  return [{ type: 'reasoning-end', seal }];
}

function readRedacted({ start }: OpenBlock): Parts {
  const redacted = text(start.data);
  const seal = { redacted, encryptedContent: encodeRedacted(redacted) };
  return [
    { type: 'reasoning-start', format: REASONING_FORMAT },
    { type: 'reasoning-end', seal },
  ];
}

function startToolUse({ start }: OpenBlock): Parts {
  return [{ type: 'tool-call-start', callId: text(start.id), name: text(start.name) }];
}

function readToolDelta(block: OpenBlock, delta: JsonObject): Parts {
  const added = gatherInput(block, delta);
  return added === '' ? NOTHING : [{ type: 'tool-call-delta', arguments: added }];
}

/** What a hosted call is asked is told when it is whole. */
function readHostedDelta(block: OpenBlock, delta: JsonObject): Parts {
  gatherInput(block, delta);
  return NOTHING;
}

function gatherInput(block: OpenBlock, delta: JsonObject): string {
  const added = delta.type === 'input_json_delta' ? text(delta.partial_json) : '';
  block.text += added;
  return added;
}

/** The input where it did not come in pieces: a whole message, or a tool called with nothing. */
function stopToolUse(block: OpenBlock): Parts {
  return block.text === '' ? [{ type: 'tool-call-delta', arguments: inputText(block) }] : NOTHING;
}

function inputText({ text: pieces, start }: OpenBlock): string {
  return pieces === '' ? JSON.stringify(start.input ?? {}) : pieces;
}

function stopServerTool(block: OpenBlock): Parts {
  const input = parseJson(inputText(block));
  const action = searchAction(text(block.start.name), isJsonObject(input) ? input : {});
  return action ? [{ type: 'search-call', key: text(block.start.id), action }] : NOTHING;
}

function searchAction(tool: string, input: JsonObject): SearchAction | undefined {
  if (tool === 'web_search') return { type: 'search', query: text(input.query) };
  if (tool === 'web_fetch') return { type: 'open_page', url: text(input.url) };
  return undefined;
}

function stopMcpTool(block: OpenBlock): Parts {
  const { id, name, server_name } = block.start;
  const called = { key: text(id), name: text(name), serverLabel: text(server_name) };
  return [{ type: 'mcp-call', ...called, arguments: inputText(block) }];
}

/** Results are a list; a search that failed has an error object in its place. */
function readSearchResult({ start }: OpenBlock): Parts {
  const { content } = start;
  const results = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const sources = results.map((result) => text(result.url)).filter((url) => url !== '');
  const failed = !Array.isArray(content);
  return [{ type: 'search-result', key: text(start.tool_use_id), failed, sources }];
}

function readFetchResult({ start }: OpenBlock, { fetchedUrls }: BlockMemory): Parts {
  const content = isJsonObject(start.content) ? start.content : {};
  const failed = content.type !== 'web_fetch_result';
  if (!failed) fetchedUrls.push(text(content.url));
  return [{ type: 'search-result', key: text(start.tool_use_id), failed, sources: [] }];
}

function readMcpResult({ start }: OpenBlock): Parts {
  const failed = start.is_error === true;
  return [
    { type: 'mcp-result', key: text(start.tool_use_id), failed, output: resultText(start.content) },
  ];
}

function resultText(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return text(content);
  return content.map((block) => (isJsonObject(block) ? text(block.text) : '')).join('');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
