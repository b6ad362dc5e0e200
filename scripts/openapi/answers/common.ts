import * as z from 'zod';
import { ERRORS } from '../../../shared/api/error.ts';
import { count } from './relayed.ts';

const errorTypes = [...new Set(Object.values(ERRORS).map(({ type }) => type))];

/** The body of every error (2.10). */
export const errorAnswer = z
  .strictObject({
    error: z
      .strictObject({
        message: z
          .string()
          .min(1)
          .describe(
            'What is wrong and what to do about it, for people. It names the field at fault.',
          ),
        type: z.enum(errorTypes).describe('The kind of error, for programs.'),
      })
      .describe('The error.'),
  })
  .meta({ title: 'Error', description: 'The body of every error: one message and one type.' });

/** Part 2.2. */
export const model = z
  .strictObject({
    id: z.string().min(1).describe('Identifier or alias that a request may use as `model`.'),
    object: z.literal('model').describe('Always `model`.'),
    created: z.int().nonnegative().describe("The model's release, as Unix time in seconds."),
    owned_by: z.string().min(1).describe('Who made the model.'),
  })
  .meta({ title: 'Model', description: 'One identifier that a request may use.' });

export const modelList = z
  .strictObject({
    object: z.literal('list').describe('Always `list`.'),
    data: z.array(model).describe('Every identifier once, in alphabetical order.'),
  })
  .meta({
    title: 'Model list',
    description: 'Every model, alias and deployment that a request may name.',
  });

/** Part 2.9. */
export const gatewayMetadata = z
  .strictObject({
    provider: z.string().optional().describe('The provider that served the request.'),
    latency: count
      .optional()
      .describe('Milliseconds from the arrival of the request to this object.'),
    model_requested: z.string().optional().describe('The model as the request named it.'),
    model_deployment: z.string().optional().describe('ID of the deployment that served it.'),
    provider_response_headers: z
      .record(z.string(), z.string())
      .optional()
      .describe("Those of the provider's response headers that the catalog lets through."),
    raw_request: z
      .unknown()
      .optional()
      .describe(
        'The request as it was sent to the provider; credentials and identities read `[redacted]`.',
      ),
    raw_response: z
      .unknown()
      .optional()
      .describe("The provider's own body; of a stream, the list of its events."),
  })
  .meta({
    title: 'Gateway metadata',
    description:
      'How the request was served: the fields that `X-Gateway-Return-Extra-Fields` asked for.',
  });
