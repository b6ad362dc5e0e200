/** How often a value may be read anew, in milliseconds: a revoked credential is refused by the hundred. */
export const RENEW_AT_MOST_EVERY_MS = 10_000;
/** A value older than this is read anew beside the request that finds it so, in milliseconds. */
export const OLD_AFTER_MS = 300_000;

/** A read gives up before this; one that fails later was frozen with its host, and tells nothing. */
const FROZEN_AFTER_MS = 4_000;

/** A value that lives elsewhere, as this process holds it. Callers at the same time share one read. */
export interface KeptValue<T> {
  /** The value at hand, read where there is none. Throws what reading throws; the next call reads again. */
  readonly get: () => Promise<T>;
  /** Reads anew, at most once every ten seconds; where that fails, what is at hand stays. */
  readonly renew: () => Promise<T>;
}

export interface KeptValueOptions<T> {
  readonly read: () => Promise<T>;
  /** Told why a renewal failed: requests go on with what is at hand. */
  readonly onRenewalFailure: (error: unknown) => void;
  /** Milliseconds of a clock that never steps. */
  readonly monotonicNow?: () => number;
}

interface State<T> {
  held?: { readonly value: T; readonly readAtMs: number };
  loading?: Promise<T> | undefined;
  renewedAtMs: number;
}

/** Keeps what `read` reads. Nothing is read before the first call. */
export function keepValue<T>(options: KeptValueOptions<T>): KeptValue<T> {
  const { read, onRenewalFailure, monotonicNow = () => performance.now() } = options;
  const state: State<T> = { renewedAtMs: Number.NEGATIVE_INFINITY };

  const load = (): Promise<T> => {
    state.loading ??= readInto(state, read, monotonicNow);
    return state.loading;
  };
  const get = async (): Promise<T> => {
    if (state.held) {
      if (monotonicNow() - state.held.readAtMs > OLD_AFTER_MS) void renew();
      return state.held.value;
    }
    // A read that someone else began may have failed because the host was frozen on its way.
    return state.loading ? state.loading.catch(load) : load();
  };
  const renew = async (): Promise<T> => {
    if (!state.held) return get();
    const now = monotonicNow();
    if (!state.loading && now - state.renewedAtMs < RENEW_AT_MOST_EVERY_MS) return state.held.value;
    state.renewedAtMs = now;
    try {
      return await load();
    } catch (error) {
      if (monotonicNow() - now < FROZEN_AFTER_MS) onRenewalFailure(error);
      return state.held.value;
    }
  };
  return { get, renew };
}

async function readInto<T>(
  state: State<T>,
  read: () => Promise<T>,
  monotonicNow: () => number,
): Promise<T> {
  try {
    const value = await read();
    state.held = { value, readAtMs: monotonicNow() };
    return value;
  } finally {
    state.loading = undefined;
  }
}
