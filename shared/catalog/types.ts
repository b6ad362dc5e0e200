import type { Meter } from '../pricing/usage.ts';

/** Every provider that a deployment may be at. */
export const PROVIDER_IDS = ['openai', 'azure', 'anthropic'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];
/** `openai` is family A of the specification, `anthropic` family B. */
export type Family = 'openai' | 'anthropic';
export type GatewayRoute = 'chat-completions' | 'responses';
export type UpstreamApi = 'chat-completions' | 'responses' | 'messages';
export type ServiceTier = 'default' | 'flex' | 'priority' | 'standard_only';
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Prices of one meter as decimal strings of US dollars. */
export type MeterPrice =
  | { readonly perMillion: string; readonly perMillionOver272k?: string }
  | { readonly per1kCalls: string }
  | {
      readonly per1kLowContextCalls: string;
      readonly per1kMediumContextCalls: string;
      readonly per1kHighContextCalls: string;
    };

export interface Model {
  readonly id: string;
  readonly author: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly series: string;
  /** ISO date. */
  readonly released: string;
  readonly knowledgeCutoff: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
}

/** What a deployment's model can and cannot take: the facts behind every per-model rule. */
export interface Capabilities {
  readonly functionCalling: boolean;
  readonly parallelFunctionCalling: boolean;
  readonly customTools: boolean;
  readonly webSearch: boolean;
  readonly explicitPromptCaching: boolean;
  readonly structuredOutputs: boolean;
  /** Takes the `verbosity` preference (GPT-5 and newer, not the search models). */
  readonly verbosity: boolean;
  /** Takes `prediction` (4o and 4.1 families, not the search models). */
  readonly prediction: boolean;
  /** One billed search a request, `web_search_options` accepted (the search models). */
  readonly searchModel: boolean;
}

export interface Reasoning {
  readonly availability: 'unsupported' | 'optional' | 'required';
  readonly efforts: readonly Effort[];
  /** Token budgets that may be asked for, inclusive; null: budgets are not taken. */
  readonly budget: { readonly minimum: number; readonly maximum: number } | null;
}

/** Facts that only the Anthropic family has. */
export interface AnthropicFacts {
  /** `adaptive` thinking with an effort; `budget-and-effort` (Opus 4.5). */
  readonly thinking: 'adaptive' | 'budget-and-effort';
  /** Takes a `role: system` message in place, late in the conversation (Opus 4.8 and newer). */
  readonly systemMessages: boolean;
  /** Newest hosted tool versions that the model takes. */
  readonly webSearchTool: 'web_search_20250305' | 'web_search_20260209';
  readonly webFetchTool: 'web_fetch_20250910' | 'web_fetch_20260309';
}

export interface Deployment {
  readonly id: string;
  readonly provider: ProviderId;
  readonly family: Family;
  readonly model: string;
  readonly aliases: readonly string[];
  /** Deployments of one slug family on one provider are siblings: they differ in tier, speed or region alone. */
  readonly slugFamily: string;
  readonly upstream: {
    readonly model: string;
    readonly serviceTier?: ServiceTier;
    readonly speed?: 'standard' | 'fast';
    readonly inferenceGeo?: 'global' | 'us';
    readonly reasoningMode?: 'pro';
  };
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** ISO date from which the provider refuses the model; null while it serves. */
  readonly retiredOn: string | null;
  readonly routes: readonly UpstreamApi[];
  readonly reasoning: Reasoning;
  readonly capabilities: Capabilities;
  readonly anthropic?: AnthropicFacts;
  readonly prices: Partial<Record<Meter, MeterPrice>>;
}

export interface Provider {
  readonly id: ProviderId;
  /** Second name that routing preferences and slug prefixes may use (2.3); often equal to the ID. */
  readonly slug: string;
  readonly name: string;
  readonly family: Family;
  /** Response headers that may be relayed to the client as extra fields, lower case. */
  readonly responseHeaders: readonly string[];
  /** Rank in the catalog's own order: lower is tried first. */
  readonly rank: number;
}

/** One upstream API of one provider, for example `openai-responses` or `anthropic-messages`. */
export interface ProviderEndpoint {
  readonly id: string;
  readonly provider: ProviderId;
  readonly api: UpstreamApi;
  readonly path: string;
}

/** One route of the gateway and the provider endpoints that can serve it. */
export interface GatewayEndpoint {
  readonly id: GatewayRoute;
  readonly method: 'POST';
  readonly path: string;
  readonly providerEndpoints: readonly string[];
}

/** The compiled catalog: what `GET /v1/catalog` serves and every function loads (2.1). */
export interface Catalog {
  readonly version: 'gateway.catalog.v1';
  readonly generatedAt: string;
  readonly graph: {
    readonly models: Readonly<Record<string, Model>>;
    readonly deployments: Readonly<Record<string, Deployment>>;
    readonly providers: Readonly<Record<string, Provider>>;
    readonly providerEndpoints: Readonly<Record<string, ProviderEndpoint>>;
    readonly gatewayEndpoints: Readonly<Record<GatewayRoute, GatewayEndpoint>>;
  };
  readonly indexes: {
    /** `<providerEndpointId>:<slug>` to the ID of the deployment that it names. */
    readonly provider_endpoint_request_slugs: Readonly<Record<string, string>>;
    /** `<providerId>:<slugFamily>` to the IDs of its deployments, which are siblings. */
    readonly slug_family_deployments: Readonly<Record<string, readonly string[]>>;
  };
}
