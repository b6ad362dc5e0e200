import { isJsonObject, parseJson } from '../api/json.ts';
import { type EdgeSecrets, onlyFromEdge } from '../http/edge-lock.ts';
import type { Unit } from '../http/middleware.ts';
import type { Telemetry } from '../telemetry/request-log.ts';
import { type Environment, optional } from './environment.ts';
import { keepSecret } from './kept-secret.ts';
import type { KeptValue } from './kept-value.ts';

const SECRET = 'EDGE_SECRET_ARN';
/** What is shorter is no secret: an unused place of the secret is left empty. */
const SHORTEST = 32;

/**
 * The units that stand before every route: the lock to the edge where `EDGE_SECRET_ARN` names its
 * secret, else none, and then nothing is loaded.
 */
export function openEdgeLock(
  environment: Environment,
  telemetry: Pick<Telemetry, 'fault'>,
): readonly Unit[] {
  const secrets = openEdgeSecrets(environment, (error) =>
    telemetry.fault('secret_renewal_failed', error),
  );
  return secrets === undefined ? [] : [onlyFromEdge(secrets)];
}

/** The values that open the lock; undefined without a lock. Reading throws an Error that names the setting. */
export function openEdgeSecrets(
  environment: Environment,
  onRenewalFailure: (error: unknown) => void,
): KeptValue<EdgeSecrets> | undefined {
  const arn = optional(environment, SECRET);
  if (arn === undefined) return undefined;
  return keepSecret({ name: SECRET, arn, parse: parseEdgeSecrets, onRenewalFailure });
}

/** The secret is a JSON object, such as `{"first": "...", "second": ""}`; each value of 32 characters or more opens. */
export function parseEdgeSecrets(text: string): EdgeSecrets {
  const secrets = valuesOf(text).filter((value) => value.length >= SHORTEST);
  if (secrets.length > 0) return secrets;
  throw new Error(`The secret of ${SECRET} holds no value of ${SHORTEST} characters or more.`);
}

/** Throws an Error that does not quote the text, as the JSON parser's own would. */
function valuesOf(text: string): string[] {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new Error(`The secret of ${SECRET} is not a JSON object.`);
  return Object.values(value).filter((one) => typeof one === 'string');
}
