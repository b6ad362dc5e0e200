import { inferenceHandler } from '../../shared/gateway/handler.ts';
import { RESPONSES } from '../../shared/gateway/responses.ts';
import { createServices } from '../../shared/settings/services.ts';

/** `POST /v1/responses` */
export const handler = inferenceHandler(RESPONSES, createServices(process.env));
