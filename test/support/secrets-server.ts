import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../infra/local/listen.ts';

/** Secrets Manager on the loopback, as far as `GetSecretValue` goes. */
export interface SecretsServer {
  /** What makes the SDK ask here, with credentials that nobody checks. */
  readonly environment: Readonly<Record<string, string>>;
  /** ARNs that were asked for, in order. */
  readonly reads: readonly string[];
  /** Gives a secret its text; undefined takes it away. */
  put(arn: string, text: string | undefined): void;
  /** How every call goes from now on: an error of the service, half an answer, or none; false: well. */
  fail(how: 'error' | 'garbage' | 'silence' | false): void;
  close(): Promise<void>;
}

/** ARN of a secret by its name. */
export function secretArn(name: string): string {
  return `arn:aws:secretsmanager:eu-central-1:000000000000:secret:${name}`;
}

/** Starts it without a secret. */
export async function startSecretsServer(): Promise<SecretsServer> {
  const secrets = new Map<string, string>();
  const reads: string[] = [];
  let failing: 'error' | 'garbage' | 'silence' | false = false;
  const server = createServer(async (request, response) => {
    // The client is the SDK's own: the shape of its calls is theirs.
    const { SecretId: arn } = (await json(request)) as { SecretId: string };
    reads.push(arn);
    const text = secrets.get(arn);
    const found = request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue' && text;
    if (failing === 'silence') return;
    if (failing === 'garbage') return void response.end(`{"SecretString": "${text}`);
    const [status, body] = failing
      ? [500, { __type: 'InternalServiceError', message: 'An error occurred on the server side.' }]
      : found
        ? [200, { ARN: arn, Name: arn.split(':').at(-1), SecretString: text }]
        : [400, { __type: 'ResourceNotFoundException', message: "can't find the secret" }];
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  });
  const port = await listen(server, 0);
  return {
    environment: {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    reads,
    put: (arn, text) => void (text === undefined ? secrets.delete(arn) : secrets.set(arn, text)),
    fail: (how) => {
      failing = how;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
