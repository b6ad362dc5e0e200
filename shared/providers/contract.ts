import type { GatewayError } from '../api/error.ts';
import type { JsonObject } from '../api/json.ts';
import type { Deployment, UpstreamApi } from '../catalog/types.ts';
import type { HostedToolPlan } from '../pricing/hold-plan.ts';
import type { ProviderReport } from '../pricing/usage.ts';

/** Who and what a client's request is translated for. */
export interface TranslationTarget {
  readonly deployment: Deployment;
  /** The provider-visible identity of the authenticated key: opaque, at most 64 characters. */
  readonly identity: string;
}

/** A complete upstream request but for the address and the credential. */
export interface UpstreamRequest {
  readonly api: UpstreamApi;
  /** Headers beyond content type and credential, for example `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON in this key order: the same request gives the same bytes. */
  readonly body: JsonObject;
}

/** What the gateway decides about an answer before it is written. */
export interface AnswerContext {
  /** ID of the answer: `chatcmpl-...` on the chat route, a UUID on the responses route. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  /** Fresh unique suffixes for item IDs, in order: pure code asks here instead of for randomness. */
  readonly nextId: () => string;
  readonly deployment: Deployment;
  /** Hosted tools that the request may run there: what their reported calls are priced by. */
  readonly plan: HostedToolPlan;
  /** Unix time in seconds, asked when the answer is finished. */
  readonly now: () => number;
}

/** A whole upstream answer as the client gets it. */
export interface WholeAnswer {
  readonly body: JsonObject;
  readonly report: ProviderReport;
}

/** Translates one upstream event stream into the JSON texts of the client's frames. */
export interface StreamTranslator {
  /** Takes the `data` text of one upstream event; returns the frames (JSON texts) that it gives. */
  event(data: string): string[];
  /**
   * The upstream has ended. Without a failure and after the provider's terminal event this closes
   * normally; otherwise the terminal error frame of the route is written (part 6). Every frame but `[DONE]`.
   */
  end(failure?: GatewayError): string[];
  /**
   * A failure that the provider reported as the first event of a 200 stream, before anything was
   * produced: the gateway answers it as a status. Undefined once a frame was produced.
   */
  earlyFailure(): GatewayError | undefined;
  report(): ProviderReport;
}

/** What a refusal or failure of the provider, a status or an error event, means for the client and for fallback. */
export interface UpstreamFailure {
  /** The request is at fault: no other provider would take it, and the client gets the provider's message as a 400. */
  readonly blamesRequest: boolean;
  /** The client's own message where the request is to blame, else neutral; scrubbed of credentials. */
  readonly message: string;
  /** Transient: the same request may succeed at this provider a little later (429, 529, 5xx, timeout). */
  readonly retryable: boolean;
}
