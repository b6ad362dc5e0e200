import type { RecordedCase } from './recording-cases.ts';
import type { Declared } from './recording-clients.ts';
import { type AnswerFacts, factsOfBody, factsOfEvents } from './recording-facts.ts';
import type { ScriptedAnswer } from './scripted-upstream.ts';

/** What a recording says, as its stream or as its whole body. */
export function factsOf(recording: RecordedCase, stream: boolean): AnswerFacts {
  const { api, events, body } = recording;
  return stream ? factsOfEvents(api, events) : factsOfBody(api, body ?? '');
}

/** The recording as an upstream's answer. */
export function play(recording: RecordedCase, stream: boolean): ScriptedAnswer {
  if (!stream) return { json: recording.body };
  const sse = recording.api === 'messages' ? 'anthropic' : 'openai';
  const events = recording.events.map((event) => JSON.parse(event));
  return { sse, events: recording.api === 'chat' ? [...events, '[DONE]'] : events };
}

/** What the request must declare. A call whose arguments are a text is one of a custom tool. */
export function declaredFor(facts: AnswerFacts, { api }: RecordedCase): Declared {
  const isCustom = (call: { arguments: unknown }) =>
    api === 'responses' && typeof call.arguments === 'string';
  const names = (calls: AnswerFacts['calls']) => [...new Set(calls.map(({ name }) => name))];
  return {
    functions: names(facts.calls.filter((call) => !isCustom(call))),
    customTools: names(facts.calls.filter(isCustom)),
    search: facts.searches > 0,
    remote: [...new Set(facts.remoteCalls)],
  };
}
