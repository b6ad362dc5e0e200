import type { JsonObject } from '../../../shared/api/json.ts';

/** A request that the real provider would refuse; each API writes it in its own error shape. */
export class ProviderRefusal extends Error {
  readonly status: number;
  readonly param: string | null;

  constructor(message: string, options: { status?: number; param?: string } = {}) {
    super(message);
    this.status = options.status ?? 400;
    this.param = options.param ?? null;
  }
}

/** Refuses fields outside the list; `message` says it in the provider's words. */
export function refuseUnknown(
  object: JsonObject,
  known: readonly string[],
  message: (name: string) => string,
): void {
  for (const name of Object.keys(object)) {
    if (!known.includes(name)) throw new ProviderRefusal(message(name), { param: name });
  }
}
