import { type ChatCompletionRequest, parseChatRequest } from '../api/chat-request.ts';
import { planHostedTools } from '../api/hosted-tools.ts';
import { effectiveOutputCap } from '../api/output-cap.ts';
import * as anthropicAnswer from '../providers/anthropic/answer.ts';
import { readError as readAnthropicError } from '../providers/anthropic/error.ts';
import { translateChatRequest as toMessages } from '../providers/anthropic/request-chat.ts';
import * as anthropicStream from '../providers/anthropic/stream.ts';
import * as openaiAnswer from '../providers/openai/answer.ts';
import { readError as readOpenaiError } from '../providers/openai/error.ts';
import { translateChatRequest as toChatCompletions } from '../providers/openai/request-chat.ts';
import { createChatStream as relayChatStream } from '../providers/openai/stream-chat.ts';
import { checkChatRequest } from './check-chat.ts';
import type { RouteAdapter } from './route-adapter.ts';

/** `POST /v1/chat/completions` (2.4 to 2.6) on both families. */
export const CHAT_COMPLETIONS: RouteAdapter<ChatCompletionRequest> = {
  route: 'chat-completions',
  path: '/v1/chat/completions',
  parse: parseChatRequest,
  check: checkChatRequest,
  outputCap: effectiveOutputCap,
  planHostedTools,
  answerId: (uuid) => `chatcmpl-${uuid.replaceAll('-', '')}`,
  families: {
    openai: {
      translate: toChatCompletions,
      openStream: (_request, context) => relayChatStream(context),
      readAnswer: (body, _request, context) => openaiAnswer.readChatAnswer(body, context),
      readError: readOpenaiError,
    },
    anthropic: {
      translate: toMessages,
      openStream: (_request, context) => anthropicStream.createChatStream(context),
      readAnswer: (body, _request, context) => anthropicAnswer.readChatAnswer(body, context),
      readError: readAnthropicError,
    },
  },
};
