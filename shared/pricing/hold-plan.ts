import type { CallMeter, SearchContextSize } from './usage.ts';

/** What hosted tools a request may run at the provider, for hold, cap and charge. */
export interface HostedToolPlan {
  /** Priced calls by meter, each at its effective cap. Empty: none can run. */
  readonly callCaps: Partial<Record<CallMeter, number>>;
  /**
   * Hosted tools and MCP feed what they find back into the model: then the input
   * is bounded by the context window alone.
   */
  readonly feedsInput: boolean;
  readonly searchContextSize?: SearchContextSize;
}
