import { inferenceHandler } from '../../shared/gateway/handler.ts';
import { RESPONSES } from '../../shared/gateway/responses.ts';
import { openEdgeLock } from '../../shared/settings/edge-lock.ts';
import { createServices } from '../../shared/settings/services.ts';

const services = createServices(process.env);

/** `POST /v1/responses` */
export const handler = inferenceHandler(
  RESPONSES,
  services,
  openEdgeLock(process.env, services.telemetry),
);
