import { CHAT_COMPLETIONS } from '../../shared/gateway/chat-completions.ts';
import { inferenceHandler } from '../../shared/gateway/handler.ts';
import { createServices } from '../../shared/settings/services.ts';

/** `POST /v1/chat/completions` */
export const handler = inferenceHandler(CHAT_COMPLETIONS, createServices(process.env));
