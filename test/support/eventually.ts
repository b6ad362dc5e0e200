/** Asks again until the probe gives no error, or its last error stands: for what settles after an answer. */
export async function eventually<T>(probe: () => Promise<T>, withinMs = 5_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
