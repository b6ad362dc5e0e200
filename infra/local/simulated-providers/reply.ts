import type { JsonValue } from '../../../shared/api/json.ts';
import { exampleOf } from './schema-example.ts';
import { wordsOf } from './words.ts';

export interface DeclaredTool {
  readonly name: string;
  /** A custom tool takes free text, not arguments. */
  readonly kind: 'function' | 'custom';
  readonly schema?: JsonValue | undefined;
}

/** What a simulated model looks at in a request, whichever API brought it. */
export interface Prompt {
  readonly model: string;
  readonly lastUserText: string;
  /** The result of a tool, where the conversation ends in one. */
  readonly toolResult: string | undefined;
  readonly tools: readonly DeclaredTool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  /** JSON is asked for: by its schema, or any object. */
  readonly outputSchema: JsonValue | undefined;
  readonly reasons: boolean;
  /** Tokens of output, reasoning included. */
  readonly maxTokens: number;
  readonly stopSequences: readonly string[];
}

export interface ReplyCall {
  readonly name: string;
  readonly kind: DeclaredTool['kind'];
  /** JSON text of a function's arguments, or the free text of a custom tool's input. */
  readonly input: string;
}

/** What the simulated model says, word by word; at most the tokens asked for. */
export interface Reply {
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly call: ReplyCall | undefined;
  readonly end: 'stop' | 'length' | 'tool' | { readonly stopSequence: string };
}

const ECHOED_WORDS = 60;

/** Answers deterministically: first by the first or forced tool, after its result in text. */
export function replyTo(prompt: Prompt): Reply {
  const thoughts = prompt.reasons ? thinkAbout(prompt) : [];
  const reasoning = thoughts.slice(0, prompt.maxTokens);
  const room = prompt.maxTokens - reasoning.length;
  const call = callFor(prompt);
  if (call !== undefined && room > 0) {
    // A call's arguments are never cut: half of a JSON text is of no use to anyone.
    return { reasoning, text: [], call, end: 'tool' };
  }
  const { text, stopSequence } = untilStop(answerText(prompt), prompt.stopSequences);
  const words = wordsOf(text);
  const end = stopSequence === undefined ? 'stop' : { stopSequence };
  return {
    reasoning,
    text: words.slice(0, room),
    call: undefined,
    end: words.length > room ? 'length' : end,
  };
}

function thinkAbout({ lastUserText, toolResult }: Prompt): string[] {
  const subject =
    toolResult === undefined ? `“${brief(lastUserText, 12)}”` : 'the result of the tool';
  return wordsOf(`The question is about ${subject}. A short and friendly answer will do.`);
}

function callFor({ tools, toolChoice, toolResult }: Prompt): ReplyCall | undefined {
  if (toolChoice === 'none' || toolResult !== undefined) return undefined;
  const wanted = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  const tool = tools.find(({ name }) => wanted === undefined || name === wanted);
  if (tool === undefined) return undefined;
  const input = tool.kind === 'custom' ? 'example' : JSON.stringify(exampleOf(tool.schema));
  return { name: tool.name, kind: tool.kind, input };
}

function answerText({ model, lastUserText, toolResult, outputSchema }: Prompt): string {
  if (outputSchema !== undefined) return JSON.stringify(exampleOf(outputSchema), null, 1);
  if (toolResult !== undefined) return `The tool answered: ${brief(toolResult, ECHOED_WORDS)}`;
  return (
    `This is a simulated answer of ${model}; no provider was called and nothing was sent anywhere. ` +
    `You wrote: “${brief(lastUserText, ECHOED_WORDS)}”. ` +
    'Set a provider’s address and key to reach the real model. 👋'
  );
}

function brief(text: string, words: number): string {
  const all = wordsOf(text);
  const kept = all.slice(0, words).join('').trim();
  return all.length > words ? `${kept} …` : kept;
}

function untilStop(
  text: string,
  stopSequences: readonly string[],
): { text: string; stopSequence?: string } {
  const hits = stopSequences
    .map((stopSequence) => ({ stopSequence, at: text.indexOf(stopSequence) }))
    .filter(({ stopSequence, at }) => stopSequence !== '' && at >= 0)
    .sort((first, second) => first.at - second.at);
  const [hit] = hits;
  return hit ? { text: text.slice(0, hit.at), stopSequence: hit.stopSequence } : { text };
}
