import { type KeptValue, keepValue } from './kept-value.ts';

export interface KeptSecretOptions<T> {
  /** Name of the setting that holds the secret's ARN. */
  readonly name: string;
  readonly arn: string;
  /** Throws an Error that names the setting and repeats nothing of the text. */
  readonly parse: (text: string) => T;
  readonly onRenewalFailure: (error: unknown) => void;
}

/**
 * A secret that is read at once, kept and renewed.
 *
 * The read begins here, when a function is imported, and the first request awaits it; there is no
 * top-level await. So it runs beside the rest of the start and the request's own authentication, a
 * failure is an answer of ours and no failed start of the environment, which the platform would
 * answer, and an environment that was frozen after its start simply reads again.
 */
export function keepSecret<T>(options: KeptSecretOptions<T>): KeptValue<T> {
  const { name, arn, parse, onRenewalFailure } = options;
  const readText = readerOnFirstUse(name, arn);
  const kept = keepValue({ read: async () => parse(await readText()), onRenewalFailure });
  kept.get().catch(() => undefined); // the request that needs it reads again and tells
  return kept;
}

/** A process without a secret never loads the client of Secrets Manager. */
function readerOnFirstUse(name: string, arn: string): () => Promise<string> {
  let opened: Promise<() => Promise<string>> | undefined;
  return async () => {
    opened ??= import('./secrets.ts').then(({ createSecretReader }) =>
      createSecretReader(name, arn),
    );
    return (await opened)();
  };
}
