import type { JsonObject } from '../../../shared/api/json.ts';

/** One frame of a simulated stream. */
export interface SimulatedFrame {
  /** The `event:` line, where the provider sends one. */
  readonly event?: string;
  /** A JSON object, or the end marker of the chat API. */
  readonly data: JsonObject | '[DONE]';
}

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One API of one provider: checks a request as the real one does, and answers whole or as a stream. */
export interface SimulatedApi {
  /** Throws a ProviderRefusal for what the real provider would refuse. */
  readonly check: (body: JsonObject, headers: RequestHeaders) => void;
  readonly whole: (body: JsonObject) => JsonObject;
  readonly stream: (body: JsonObject) => SimulatedFrame[];
  readonly errorBody: (error: {
    status: number;
    message: string;
    param: string | null;
  }) => JsonObject;
}
