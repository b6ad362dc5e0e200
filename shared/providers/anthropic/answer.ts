import { writeChatCompletion } from '../../api/chat-writer.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ResponsesEcho } from '../../api/responses-echo.ts';
import { writeResponse } from '../../api/responses-writer.ts';
import type { StreamPart } from '../../api/stream-part.ts';
import type { AnswerContext, WholeAnswer } from '../contract.ts';
import { createReaderState, readMessage } from './events.ts';
import { buildReport, createRelayed, noteRelayed } from './report.ts';

/**
 * A whole Messages answer as a chat completion. Throws the client's error where the body is an
 * error or no message.
 */
export function readChatAnswer(body: unknown, context: AnswerContext): WholeAnswer {
  return readAnswer(body, context, (parts) => writeChatCompletion(context, parts));
}

/** A whole Messages answer as a response object. Throws as `readChatAnswer` does. */
export function readResponsesAnswer(
  body: unknown,
  context: AnswerContext,
  echo: ResponsesEcho,
): WholeAnswer {
  const { model } = context.deployment.upstream;
  return readAnswer(body, context, (parts) => writeResponse({ ...context, model, echo }, parts));
}

function readAnswer(
  message: unknown,
  { deployment }: AnswerContext,
  write: (parts: readonly StreamPart[]) => JsonObject,
): WholeAnswer {
  const state = createReaderState(deployment.upstream.model);
  const parts = readMessage(state, message);
  const relayed = createRelayed();
  for (const part of parts) noteRelayed(relayed, part);
  return { body: write(parts), report: buildReport(state, relayed) };
}
