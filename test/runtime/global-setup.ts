import { synthesizeAssembly } from './assembly.ts';

/** Builds once, before all tests, what they run. */
export async function setup(): Promise<void> {
  await synthesizeAssembly();
}
