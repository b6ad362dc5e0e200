import * as z from 'zod/mini';
import type { GatewayRoute } from '../catalog/types.ts';
import { type AbsencePlan, withoutAbsent } from './absent.ts';
import { invalidRequest } from './error.ts';
import { isJsonObject } from './json.ts';
import { checkJsonBounds } from './json-bounds.ts';
import { checkRefusedFields } from './refused-fields.ts';
import { schemaError } from './schema-error.ts';

interface RequestForm<Schema extends z.core.$ZodType> {
  readonly route: GatewayRoute;
  readonly schema: Schema;
  readonly absent: AbsencePlan;
  /** Brings what clients send in several forms into one, before the schema sees it. */
  readonly prepare: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** Fields of both routes that say something only together. */
interface RoutedRequest {
  readonly provider?: unknown;
  readonly rules?: unknown;
  readonly stream?: boolean;
  readonly stream_options?: unknown;
}

/** Absent keys of every request: the families' lists that clients send empty. */
export const EMPTY_IS_ABSENT = ['stop_sequences', 'mcp_servers', 'include', 'tools'];

/**
 * Lists end at their first fault: a body full of faults would overflow the stack on which zod
 * gathers them, and one fault is all that a client is told.
 */
const FIRST_FAULT: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Reads a request body by its schema. Throws a 400 that names the first field at fault. */
export function parseRequest<Schema extends z.core.$ZodType>(
  value: unknown,
  form: RequestForm<Schema>,
): z.output<Schema> {
  checkJsonBounds(value);
  const body = withoutAbsent(value, form.absent);
  if (!isJsonObject(body)) throw invalidRequest('The body must be a JSON object');
  checkRefusedFields(body, form.route);
  const prepared = form.prepare(body);
  const result = z.safeParse(form.schema, prepared, FIRST_FAULT);
  if (!result.success) throw schemaError(result.error, prepared);
  return result.data;
}

/** Rules between fields that both routes have. Throws a 400. */
export function checkSharedRules(request: RoutedRequest): void {
  if (request.provider !== undefined && request.rules !== undefined) {
    throw invalidRequest('provider and rules are the same field; send only one of them');
  }
  if (request.stream_options !== undefined && request.stream !== true) {
    throw invalidRequest('stream_options requires stream to be true; set it or leave both out');
  }
}
