import type { ChatCompletionRequest } from './chat-request.ts';
import { invalidRequest } from './error.ts';
import type { ResponsesRequest } from './responses-request.ts';

/** What a request asks of the model's reasoning, shortcuts merged. Absent: left to the provider. */
export interface ReasoningIntent {
  /** False means that reasoning is switched off, as does the effort `none`. */
  readonly enabled?: boolean;
  readonly effort?: string;
  /** Tokens, at least 1. */
  readonly maxTokens?: number;
  readonly display?: string;
  readonly summary?: string;
}

interface Setting<T> {
  readonly field: string;
  readonly value: T | undefined;
}

/** The one value that is given, or given twice alike; throws where the two differ. */
function merged<T>(first: Setting<T>, second: Setting<T>): T | undefined {
  if (first.value === undefined) return second.value;
  if (second.value !== undefined && second.value !== first.value) {
    throw invalidRequest(
      `${first.field} and ${second.field} say different things; send only one of them`,
    );
  }
  return first.value;
}

/** Keeps what is present, so that an absent setting is an absent key. */
function intent(
  settings: {
    readonly [Name in keyof ReasoningIntent]: ReasoningIntent[Name] | undefined;
  },
): ReasoningIntent {
  const { enabled, effort, maxTokens, display, summary } = settings;
  const off = enabled === false || effort === 'none';
  if (enabled === true && effort === 'none') {
    throw invalidRequest('reasoning.enabled is true but the effort is "none"; send only one');
  }
  if (off && effort !== undefined && effort !== 'none') {
    throw invalidRequest('reasoning.enabled is false but an effort is given; send only one');
  }
  if (off && maxTokens !== undefined) {
    throw invalidRequest('reasoning.max_tokens is given but reasoning is off; send only one');
  }
  return {
    ...(enabled !== undefined && { enabled }),
    ...(effort !== undefined && { effort }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(display !== undefined && { display }),
    ...(summary !== undefined && { summary }),
  };
}

/** Merges `reasoning` with its shortcuts (2.4). Throws a 400 where they contradict each other. */
export function chatReasoning(request: ChatCompletionRequest): ReasoningIntent {
  const { reasoning } = request;
  return intent({
    enabled: reasoning?.enabled,
    effort: merged(
      { field: 'reasoning.effort', value: reasoning?.effort },
      { field: 'reasoning_effort', value: request.reasoning_effort },
    ),
    maxTokens: merged(
      { field: 'reasoning.max_tokens', value: reasoning?.max_tokens },
      { field: 'reasoning_max_tokens', value: request.reasoning_max_tokens },
    ),
    display: merged(
      { field: 'reasoning.display', value: reasoning?.display },
      { field: 'reasoning_display', value: request.reasoning_display },
    ),
  });
}

/** Merges `reasoning` with the property named `reasoning.effort` (2.7). Throws a 400 on conflict. */
export function responsesReasoning(request: ResponsesRequest): ReasoningIntent {
  const { reasoning } = request;
  return intent({
    effort: merged(
      { field: 'reasoning.effort inside reasoning', value: reasoning?.effort },
      { field: 'the top-level property "reasoning.effort"', value: request['reasoning.effort'] },
    ),
    maxTokens: reasoning?.max_tokens,
    summary: merged(
      { field: 'reasoning.summary', value: reasoning?.summary },
      { field: 'reasoning.generate_summary', value: reasoning?.generate_summary },
    ),
  });
}
