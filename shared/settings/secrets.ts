import {
  GetSecretValueCommand,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

/** One read with all that the SDK repeats, in milliseconds: a request may be waiting for it. */
const READ_MS = 3_000;
/** `arn:aws:secretsmanager:<region>:<account>:secret:<name>` */
const REGION = /^arn:[^:]+:secretsmanager:([^:]+):/;

/**
 * Makes the function that reads the text of the secret which the setting `name` names by its ARN.
 * That function throws an Error that names the setting and holds nothing of a secret's text.
 */
export function createSecretReader(name: string, arn: string): () => Promise<string> {
  const region = REGION.exec(arn)?.[1];
  const client = new SecretsManagerClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
    },
  });
  return async () => {
    const abortSignal = AbortSignal.timeout(READ_MS);
    try {
      const command = new GetSecretValueCommand({ SecretId: arn });
      const { SecretString } = await client.send(command, { abortSignal });
      if (SecretString !== undefined) return SecretString;
    } catch (error) {
      throw new Error(`The secret of ${name} cannot be read: ${reasonOf(error)}`);
    }
    throw new Error(`The secret of ${name} holds no text.`);
  };
}

/** The service's own words; of any other error the name alone, for it may quote what it could not parse. */
function reasonOf(error: unknown): string {
  if (error instanceof SecretsManagerServiceException) return `${error.name}: ${error.message}`;
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error ? `${error.name} (${String(error.code)})` : error.name;
}
