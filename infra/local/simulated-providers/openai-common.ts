import type { JsonObject } from '../../../shared/api/json.ts';

/** Efforts that make a simulated model think. */
export const OPENAI_REASONING_EFFORTS: readonly string[] = [
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];

/** The error shape of OpenAI and Azure. */
export function openaiErrorBody(error: {
  status: number;
  message: string;
  param: string | null;
}): JsonObject {
  const type = error.status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message: error.message, type, param: error.param, code: null } };
}

/** Begins the encrypted reasoning of simulated models: what lacks it, they cannot read back. */
export const SIMULATED_ENCRYPTION = 'gAAAAsimulated-';
