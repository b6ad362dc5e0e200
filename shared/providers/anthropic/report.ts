import type { StreamPart } from '../../api/stream-part.ts';
import { estimateTokens } from '../../pricing/tokens.ts';
import type { ProviderReport } from '../../pricing/usage.ts';
import type { ReaderState } from './events.ts';
import { executed, meteredUsage, reasoningTokens } from './usage.ts';

/** What was relayed to the client, as far as the report needs it. */
export interface Relayed {
  text: string;
  producedOutput: boolean;
}

/** Nothing relayed yet. */
export function createRelayed(): Relayed {
  return { text: '', producedOutput: false };
}

/** Notes what a part gives the client: what the model wrote, be it text, thinking or arguments. */
export function noteRelayed(relayed: Relayed, part: StreamPart): void {
  const written = modelText(part);
  if (written === undefined) return;
  relayed.producedOutput = true;
  relayed.text += written;
}

function modelText(part: StreamPart): string | undefined {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text;
  if (part.type === 'tool-call-start') return part.name;
  if (part.type === 'tool-call-delta') return part.arguments;
  if (part.type === 'mcp-call') return part.name + part.arguments;
  if (part.type !== 'search-call') return undefined;
  return part.action.type === 'search' ? part.action.query : part.action.url;
}

/** The text is counted only when it is asked for: a report with the provider's usage needs no count. */
export function buildReport({ usage, complete }: ReaderState, relayed: Relayed): ProviderReport {
  const { text, producedOutput } = relayed;
  return {
    usage: meteredUsage(usage, complete),
    reasoningTokens: reasoningTokens(usage),
    complete,
    producedOutput,
    get relayedOutputTokens() {
      return estimateTokens(text, 'anthropic');
    },
    executed: executed(usage),
  };
}
