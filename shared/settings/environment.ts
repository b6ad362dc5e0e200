export type Environment = NodeJS.ProcessEnv;

/** A setting's text; an empty one is none. */
export function optional(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

/** A setting's text. Throws an Error that names the setting where it is missing. */
export function required(environment: Environment, name: string): string {
  const value = optional(environment, name);
  if (value === undefined) throw new Error(`The setting ${name} is missing.`);
  return value;
}
