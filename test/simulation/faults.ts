import type { Random } from './random.ts';

/** How bad the weather of one seed is; probabilities for each message or each resumption. */
interface Weather {
  readonly lostRequest: number;
  readonly lostAnswer: number;
  readonly delayed: number;
  readonly throttled: number;
  readonly duplicated: number;
  readonly slow: number;
  readonly crash: number;
  /** How far a clock may be off, in milliseconds. */
  readonly skewMs: number;
}

const CALM: Weather = {
  lostRequest: 0,
  lostAnswer: 0,
  delayed: 0,
  throttled: 0,
  duplicated: 0,
  slow: 0,
  crash: 0,
  skewMs: 0,
};

const WEATHERS: readonly Weather[] = [
  CALM,
  { ...CALM, slow: 0.1, throttled: 0.03, skewMs: 500 },
  { ...CALM, lostAnswer: 0.04, lostRequest: 0.02, delayed: 0.03, slow: 0.05, skewMs: 500 },
  { ...CALM, lostAnswer: 0.08, delayed: 0.1, duplicated: 0.1, slow: 0.1, crash: 0.01, skewMs: 900 },
  { ...CALM, crash: 0.03, duplicated: 0.05, slow: 0.05, skewMs: 900 },
  {
    lostRequest: 0.05,
    lostAnswer: 0.1,
    delayed: 0.1,
    throttled: 0.05,
    duplicated: 0.15,
    slow: 0.15,
    crash: 0.02,
    skewMs: 12 * 60_000,
  },
];

export type Faults = ReturnType<typeof createFaults>;

/** Draws the faults of one seed. Nothing goes wrong before `begin` and after `end`. */
export function createFaults(random: Random) {
  const weather = random.pick(WEATHERS);
  let active = false;
  let outage = false;
  const chance = (probability: number) => active && random.chance(probability);
  return {
    skewMs: weather.skewMs,
    isCalm: weather === CALM,
    begin: () => {
      active = true;
    },
    end: () => {
      active = false;
      outage = false;
    },
    /** The database answers nobody while this is so. */
    setOutage: (on: boolean) => {
      outage = on && active && weather !== CALM;
    },
    throttles: () => chance(weather.throttled),
    duplicates: () => chance(weather.duplicated),
    mishap(): 'lost-request' | 'lost-answer' | 'delayed' | undefined {
      if (outage) return 'lost-request';
      if (chance(weather.lostRequest)) return 'lost-request';
      if (chance(weather.lostAnswer)) return 'lost-answer';
      return chance(weather.delayed) ? 'delayed' : undefined;
    },
    latencyMs: () => (chance(weather.slow) ? random.between(20, 1_500) : random.between(1, 8)),
    /** How late a held-back message arrives: mostly soon after its sender gave up. */
    delayMs: () =>
      random.chance(0.8) ? random.between(20, 6_000) : random.between(6_000, 20 * 60_000),
    /** Writes are where a crash matters most. */
    crashes: (afterWrite: boolean) => chance(afterWrite ? weather.crash : weather.crash / 20),
    /** Milliseconds that a clock is off from true time. */
    skew: () => (active ? random.between(-weather.skewMs, weather.skewMs) : 0),
  };
}
