import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { ResponsesEcho } from '../../api/responses-echo.ts';
import { createTextTally } from '../../pricing/tokens.ts';
import type { AnswerContext, WholeAnswer } from '../contract.ts';
import { brokenAnswer, failureError } from '../failure.ts';
import { hasChatOutput, tallyChatMessage, withoutChatExtras } from './chat-message.ts';
import { readStreamError } from './error.ts';
import { buildReport } from './report.ts';
import { tallyItems } from './response-items.ts';
import { ownResponse } from './response-object.ts';
import { countSearch, executedTier, readChatUsage, readResponsesUsage } from './usage.ts';

/**
 * Reads a whole chat completion. Throws the error that the client gets where the body is an error
 * in spite of its status, or is no completion.
 */
export function readChatAnswer(body: unknown, context: AnswerContext): WholeAnswer {
  const answer = answerObject(body);
  const choice = Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  if (!isJsonObject(choice) || !isJsonObject(choice.message)) throw brokenAnswer();
  const tally = createTextTally('o200k');
  tallyChatMessage(tally, choice.message);
  const seen = {
    tally,
    count: readChatUsage(answer.usage, context.deployment),
    complete: true,
    producedOutput: hasChatOutput(choice.message),
    executed: executedTier(answer),
  };
  return {
    body: {
      ...withoutChatExtras(answer),
      ...completionHead(answer, context),
      choices: [withoutChatExtras(choice)],
    },
    report: buildReport(seen, 1, context),
  };
}

function completionHead({ id, created, model }: JsonObject, context: AnswerContext): JsonObject {
  return {
    id: typeof id === 'string' && id !== '' ? id : context.id,
    object: 'chat.completion',
    created: typeof created === 'number' ? created : context.createdAt,
    model: typeof model === 'string' && model !== '' ? model : context.deployment.upstream.model,
  };
}

/**
 * Reads a whole response object. Throws the error that the client gets where the response failed,
 * or is none.
 */
export function readResponsesAnswer(
  body: unknown,
  context: AnswerContext,
  echo: ResponsesEcho,
): WholeAnswer {
  const answer = answerObject(body);
  const { status, output } = answer;
  if (status === 'failed') throw failureError(readStreamError(answer));
  if (!Array.isArray(output) || (status !== 'completed' && status !== 'incomplete')) {
    throw brokenAnswer();
  }
  const tally = createTextTally('o200k');
  const seen = {
    tally,
    count: readResponsesUsage(answer.usage, context.deployment),
    complete: true,
    producedOutput: tallyItems(tally, output),
    executed: executedTier(answer),
  };
  return {
    body: ownResponse(answer, context, echo),
    report: buildReport(seen, searchesIn(output), context),
  };
}

function searchesIn(output: readonly JsonValue[]): number {
  const seen = new Set<string>();
  for (const item of output) countSearch(seen, item);
  return seen.size;
}

/** The body as an object; an error object under a status of 200 is the failure that it says. */
function answerObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw brokenAnswer();
  if (isJsonObject(body.error) && !('output' in body)) {
    throw failureError(readStreamError(body));
  }
  return body;
}
