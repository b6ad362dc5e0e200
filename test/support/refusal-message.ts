import { expect } from 'vitest';
import { GatewayError } from '../../shared/api/error.ts';

/** The message of the 400 that the function throws; `accepted` where it throws none. */
export function refusalMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.code).toBe('invalid_request');
    return error.message;
  }
  return 'accepted';
}
