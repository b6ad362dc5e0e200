import type { Goal } from './section.ts';
import { rounded } from './statistics.ts';

/** A goal that is met by a value of at most the limit; one that is not a number was not measured. */
export function atMost(name: string, limit: number, value: number): Goal {
  return judged(name, `at most ${limit}`, value, value <= limit);
}

/** A goal that is met by a value of at least the limit; one that is not a number was not measured. */
export function atLeast(name: string, limit: number, value: number): Goal {
  return judged(name, `at least ${limit}`, value, value >= limit);
}

/** The measured value decides, not the rounded one that is shown. */
function judged(name: string, goal: string, value: number, met: boolean): Goal {
  return { name, goal, value: Number.isFinite(value) ? rounded(value) : null, met };
}
