import { invalidRequest } from './error.ts';

const MAXIMUM_DEPTH = 128;
/** No context window takes more: a value costs the model at least a token. */
const MAXIMUM_VALUES = 1_000_000;
const MAXIMUM_KEYS = 10_000;

/**
 * Refuses a body that is nested or split so far that walking it, or naming each of its faults,
 * would cost more stack or memory than its bytes. Throws a 400.
 */
export function checkJsonBounds(body: unknown): void {
  let values = 0;
  const visitObject = (object: object, depth: number): void => {
    let keys = 0;
    for (const key in object) {
      keys += 1;
      if (keys > MAXIMUM_KEYS) {
        throw invalidRequest(
          `The body has an object of more than ${MAXIMUM_KEYS} properties; split it`,
        );
      }
      // A name that `in` gives is a key; TypeScript takes it for any text.
      visit(object[key as keyof typeof object], depth);
    }
  };
  const visit = (value: unknown, depth: number): void => {
    values += 1;
    if (values > MAXIMUM_VALUES) {
      throw invalidRequest(`The body holds more than ${MAXIMUM_VALUES} JSON values; send fewer`);
    }
    if (typeof value !== 'object' || value === null) return;
    if (depth === MAXIMUM_DEPTH) {
      throw invalidRequest(`The body nests deeper than ${MAXIMUM_DEPTH} levels; flatten it`);
    }
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else visitObject(value, depth + 1);
  };
  visit(body, 0);
}
