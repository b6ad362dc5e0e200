import { planHostedTools } from '../api/hosted-tools.ts';
import { effectiveOutputCap } from '../api/output-cap.ts';
import { responsesEcho } from '../api/responses-echo.ts';
import { parseResponsesRequest, type ResponsesRequest } from '../api/responses-request.ts';
import * as anthropicAnswer from '../providers/anthropic/answer.ts';
import { readError as readAnthropicError } from '../providers/anthropic/error.ts';
import { translateResponsesRequest as toMessages } from '../providers/anthropic/request-responses.ts';
import * as anthropicStream from '../providers/anthropic/stream.ts';
import * as openaiAnswer from '../providers/openai/answer.ts';
import { readError as readOpenaiError } from '../providers/openai/error.ts';
import { translateResponsesRequest as toResponses } from '../providers/openai/request-responses.ts';
import { createResponsesStream as relayResponsesStream } from '../providers/openai/stream-responses.ts';
import { checkResponsesRequest } from './check-responses.ts';
import type { RouteAdapter } from './route-adapter.ts';

/** `POST /v1/responses` (2.7, 2.8) on both families. */
export const RESPONSES: RouteAdapter<ResponsesRequest> = {
  route: 'responses',
  path: '/v1/responses',
  parse: parseResponsesRequest,
  check: checkResponsesRequest,
  outputCap: effectiveOutputCap,
  planHostedTools,
  answerId: (uuid) => uuid,
  families: {
    openai: {
      translate: toResponses,
      openStream: (request, context) => relayResponsesStream(context, responsesEcho(request)),
      readAnswer: (body, request, context) =>
        openaiAnswer.readResponsesAnswer(body, context, responsesEcho(request)),
      readError: readOpenaiError,
    },
    anthropic: {
      translate: toMessages,
      openStream: (request, context) =>
        anthropicStream.createResponsesStream(context, responsesEcho(request)),
      readAnswer: (body, request, context) =>
        anthropicAnswer.readResponsesAnswer(body, context, responsesEcho(request)),
      readError: readAnthropicError,
    },
  },
};
