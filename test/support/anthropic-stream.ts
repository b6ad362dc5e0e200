import type { AnswerContext } from '../../shared/providers/contract.ts';
import { catalogDeployment } from './deployments.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape are taken apart here
type Loose = any;

/** How texts are cut into deltas. */
export type Cut = (text: string) => string[];

/** Pieces of at most `size` UTF-16 units, wherever that cuts. */
export function cutBy(size: number): Cut {
  return (text) => {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
    return pieces;
  };
}

/** The events that the provider would stream a whole message in. */
export function eventsOf(message: Loose, cut: Cut): Loose[] {
  const { stop_reason, stop_sequence = null, stop_details, usage, ...head } = message;
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null };
  const guess = { ...usage, output_tokens: 1, server_tool_use: undefined };
  const delta = { stop_reason, stop_sequence, ...(stop_details && { stop_details }) };
  return [
    { type: 'message_start', message: { ...start, usage: guess } },
    ...message.content.flatMap((block: Loose, index: number) => blockEvents(block, index, cut)),
    { type: 'message_delta', delta, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Loose, index: number, cut: Cut): Loose[] {
  const { empty, deltas } = takeApart(block, cut);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function takeApart(block: Loose, cut: Cut): { empty: Loose; deltas: Loose[] } {
  switch (block.type) {
    case 'text': {
      const citations = (block.citations ?? []).map((citation: Loose) => ({
        type: 'citations_delta',
        citation,
      }));
      const texts = cut(block.text).map((text) => ({ type: 'text_delta', text }));
      return { empty: { type: 'text', text: '' }, deltas: [...citations, ...texts] };
    }
    case 'thinking': {
      const texts = cut(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
      const signature = { type: 'signature_delta', signature: block.signature };
      return { empty: { ...block, thinking: '', signature: '' }, deltas: [...texts, signature] };
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const json = Object.keys(block.input).length === 0 ? '' : JSON.stringify(block.input);
      const pieces = ['', ...cut(json)].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
      return { empty: { ...block, input: {} }, deltas: pieces };
    }
    default:
      return { empty: block, deltas: [] };
  }
}

/** A context whose IDs count up and whose clock stands still. */
export function answerContext(id = 'answer'): AnswerContext {
  let items = 0;
  return {
    id,
    createdAt: 1_790_000_000,
    now: () => 1_790_000_009,
    nextId: () => `${items++}`,
    deployment: DEPLOYMENT,
    plan: { callCaps: {}, feedsInput: false },
  };
}

const DEPLOYMENT = catalogDeployment('anthropic-claude-opus-5', {
  model: 'test-model',
  upstream: { model: 'upstream-test-model' },
});
