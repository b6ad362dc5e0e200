/** Something that others wait for until a test opens it. */
export interface OpenableGate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createOpenableGate(): OpenableGate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** What is never going to happen. */
export const NEVER = new Promise<never>(() => undefined);
