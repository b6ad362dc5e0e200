import { createChatWriter } from '../../api/chat-writer.ts';
import type { ResponsesEcho } from '../../api/responses-echo.ts';
import { createResponsesWriter } from '../../api/responses-writer.ts';
import type { StreamPart } from '../../api/stream-part.ts';
import type { AnswerContext, StreamTranslator } from '../contract.ts';
import { createReaderState, endReading, readEvent } from './events.ts';
import { buildReport, createRelayed, noteRelayed } from './report.ts';

/** Translates a Messages stream into chat completion chunks. */
export function createChatStream(context: AnswerContext): StreamTranslator {
  return createTranslator(context, createChatWriter(context));
}

/** Translates a Messages stream into the events of the responses route. */
export function createResponsesStream(
  context: AnswerContext,
  echo: ResponsesEcho,
): StreamTranslator {
  const { model } = context.deployment.upstream;
  return createTranslator(context, createResponsesWriter({ ...context, model, echo }));
}

function createTranslator(
  { deployment }: AnswerContext,
  write: (part: StreamPart) => string[],
): StreamTranslator {
  const state = createReaderState(deployment.upstream.model);
  const relayed = createRelayed();
  const framesOf = (parts: readonly StreamPart[]): string[] => {
    const frames: string[] = [];
    for (const part of parts) {
      noteRelayed(relayed, part);
      frames.push(...write(part));
    }
    return frames;
  };
  return {
    event: (data) => framesOf(readEvent(state, data)),
    end: (failure) => framesOf(endReading(state, failure)),
    earlyFailure: () => (state.closed ? undefined : state.earlyFailure),
    report: () => buildReport(state, relayed),
  };
}
