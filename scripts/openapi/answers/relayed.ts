import * as z from 'zod';

/** Marks an object whose further fields are a provider's own. */
const RELAYED = 'x-relayed';

/**
 * An object that an OpenAI or Azure model's answer brings as it stands: fields that the provider
 * adds pass through. For an Anthropic model the gateway makes it, with these fields alone.
 */
export function relayed<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.looseObject(shape).meta({ [RELAYED]: true });
}

/** An object of the provider's of which the gateway knows nothing. */
export const openObject = z.looseObject({});

/** A whole number that counts something. */
export const count = z.int().nonnegative();

/** Unix time in seconds. */
export const unixTime = z.int().nonnegative();

/** UUIDv7, as the gateway makes its IDs. */
export const UUID_V7 = '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
