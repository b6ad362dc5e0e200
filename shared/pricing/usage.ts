/** Meters priced for each token. They do not overlap: a token is counted under exactly one. */
export const TOKEN_METERS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'cache_write_5m_input_tokens',
  'cache_write_1h_input_tokens',
  'output_tokens',
] as const;

/** Meters priced for each call of a tool (or model) that the provider hosts. */
export const CALL_METERS = [
  'anthropic_web_search_calls',
  'openai_responses_web_search_calls',
  'openai_responses_web_search_preview_calls',
  'openai_responses_web_search_preview_non_reasoning_calls',
  'openai_chat_completion_search_model_calls',
  'openai_chat_completion_search_preview_model_calls',
] as const;

/** Every meter. */
export const METERS = [...TOKEN_METERS, ...CALL_METERS] as const;

/** The call meters of models that search once a request; such a model has a price for one of them. */
export const SEARCH_MODEL_METERS = [
  'openai_chat_completion_search_model_calls',
  'openai_chat_completion_search_preview_model_calls',
] as const satisfies readonly (typeof CALL_METERS)[number][];

/** How much of what a search finds is fed to the model; a price may differ by it. */
export type SearchContextSize = 'low' | 'medium' | 'high';

export type TokenMeter = (typeof TOKEN_METERS)[number];
export type CallMeter = (typeof CALL_METERS)[number];
export type Meter = TokenMeter | CallMeter;

/** How much of each meter a request used; an absent meter is zero. Whole numbers. */
export type Usage = Partial<Record<Meter, number>>;

/** What a provider said about the request that it executed, as far as pricing and the ledger care. */
export interface ProviderReport {
  /** What the provider counted; undefined when it sent no usable usage. */
  readonly usage: Usage | undefined;
  /** Tokens of `output_tokens` spent on reasoning, for the ledger; priced within output. */
  readonly reasoningTokens: number;
  /** The provider's own terminal event (or whole body) was seen. */
  readonly complete: boolean;
  /** Something the client can use (text, reasoning, a tool call) was produced. */
  readonly producedOutput: boolean;
  /** All text relayed as output, as a tally for the conservative count where usage is missing. */
  readonly relayedOutputTokens: number;
  /** Tier, speed and region that the provider says it executed, in its own words; absent if unsaid. */
  readonly executed: {
    readonly serviceTier?: string;
    readonly speed?: string;
    readonly inferenceGeo?: string;
  };
  /** Search context size of a priced search model call; `medium` when the request named none. */
  readonly searchContextSize?: SearchContextSize;
}
