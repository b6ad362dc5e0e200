/** When a command reached the database, and when its answer left. */
export interface Passed {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/**
 * How often commands waited for an answer before they were sent: commands under way together are
 * one round trip. The commands come in the order in which they were sent.
 */
export function countRoundTrips(commands: readonly Passed[]): number {
  let trips = 0;
  let firstAnswerMs = Number.NEGATIVE_INFINITY;
  for (const { sentMs, answeredMs } of commands) {
    if (sentMs > firstAnswerMs) {
      trips += 1;
      firstAnswerMs = answeredMs;
    } else {
      firstAnswerMs = Math.min(firstAnswerMs, answeredMs);
    }
  }
  return trips;
}
