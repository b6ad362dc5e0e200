import { CHAT_COMPLETIONS } from '../../shared/gateway/chat-completions.ts';
import { inferenceHandler } from '../../shared/gateway/handler.ts';
import { openEdgeLock } from '../../shared/settings/edge-lock.ts';
import { createServices } from '../../shared/settings/services.ts';

const services = createServices(process.env);

/** `POST /v1/chat/completions` */
export const handler = inferenceHandler(
  CHAT_COMPLETIONS,
  services,
  openEdgeLock(process.env, services.telemetry),
);
