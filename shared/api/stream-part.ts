import type { GatewayError } from './error.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Token counts as clients see them. Input includes cache reads and writes; whole numbers. */
export interface AnswerUsage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** What a hosted search did: a query, or the fetching of one page. */
export type SearchAction =
  | { readonly type: 'search'; readonly query: string }
  | { readonly type: 'open_page'; readonly url: string };

/** How a reasoning block can be handed back to its provider in the next turn. */
export interface ReasoningSeal {
  /** The provider's signature over the reasoning text. */
  readonly signature?: string;
  /** The whole block where the provider keeps its text secret. */
  readonly redacted?: string;
  /** The block as the responses route carries it; null where the provider did not seal it. */
  readonly encryptedContent: string | null;
}

export interface FinishPart {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** Why the answer is incomplete, as the responses route says it; undefined where it is complete. */
  readonly incompleteReason?: string;
  readonly usage: AnswerUsage;
  /** Tier that the provider executed, in the words of the responses route. */
  readonly serviceTier?: string;
}

/**
 * The neutral union between a reader of a provider's answer and the two writers. Parts come in the
 * order of the answer: `start` first, exactly one `finish` or `failure` last. A part that begins
 * something (text, reasoning, a call) ends what was being written, but for hosted calls: these stay
 * open until the result with their key comes.
 */
export type StreamPart =
  | { readonly type: 'start'; readonly model: string }
  | { readonly type: 'text-delta'; readonly text: string }
  /** A source of the last `length` UTF-16 units of the text so far. */
  | {
      readonly type: 'citation';
      readonly url: string;
      readonly title: string;
      readonly length: number;
    }
  /** The whole refusal. */
  | { readonly type: 'refusal'; readonly text: string }
  /** `format` names the form of the details, so that the provider's own next turn knows them. */
  | { readonly type: 'reasoning-start'; readonly format: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'reasoning-end'; readonly seal: ReasoningSeal }
  | { readonly type: 'tool-call-start'; readonly callId: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly arguments: string }
  | { readonly type: 'search-call'; readonly key: string; readonly action: SearchAction }
  | {
      readonly type: 'search-result';
      readonly key: string;
      readonly failed: boolean;
      readonly sources: readonly string[];
    }
  | {
      readonly type: 'mcp-call';
      readonly key: string;
      readonly name: string;
      readonly serverLabel: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'mcp-result';
      readonly key: string;
      readonly failed: boolean;
      readonly output: string;
    }
  | FinishPart
  | { readonly type: 'failure'; readonly error: GatewayError };

/** A part of one type. */
export type PartOf<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>;
