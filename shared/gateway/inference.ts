import { GatewayError, toGatewayError } from '../api/error.ts';
import { isoDate } from '../catalog/public.ts';
import type { FunctionUrlEvent, FunctionUrlResponse } from '../http/function-url.ts';
import { errorResponse } from '../http/middleware.ts';
import type { KeyRecord } from '../ledger/types.ts';
import type { AnswerContext, StreamTranslator } from '../providers/contract.ts';
import type { Call } from './call.ts';
import { deliverStream, deliverWhole, rateLimitHeaders } from './deliver.ts';
import { type DispatchInput, dispatch } from './dispatch.ts';
import { readExtraFields } from './extra-fields.ts';
import { type Candidate, holdOf, prepareCall } from './prepare.ts';
import type { CommonRequest, RouteAdapter } from './route-adapter.ts';
import type { Services } from './services.ts';
import { settleFailed, settleServed } from './settlement.ts';

/**
 * A request's way, top to bottom. The key is authenticated and the body parsed before; here it is
 * prepared, its hold placed, sent, delivered, and settled once the client has its answer.
 */
export async function answerInference<Request extends CommonRequest>(
  adapter: RouteAdapter<Request>,
  event: FunctionUrlEvent,
  key: KeyRecord,
  services: Services,
): Promise<FunctionUrlResponse> {
  const startedAtMs = services.now();
  const wanted = readExtraFields(event.headers['x-gateway-return-extra-fields']);
  const { request, candidates } = prepareCall(adapter, {
    catalog: services.catalog,
    body: event.body,
    providers: await services.providers(),
    identity: await services.identityOf(key.keyId),
    today: isoDate(startedAtMs),
  });
  const fingerprint = `${adapter.route}:${candidates[0].deployment.id}`;
  const amount = holdOf(candidates);
  const hold = await services.ledger.placeHold({ key, amount, fingerprint });
  const call: Call = {
    services,
    route: adapter.route,
    hold,
    candidates,
    modelRequested: request.model,
    streaming: request.stream === true,
    metadata: request.metadata ?? {},
    wanted,
    rawEvents: wanted.has('raw_response') ? [] : undefined,
    receivedAtMs: event.requestContext.timeEpoch,
    startedAtMs,
  };
  return answerUnderHold(call, dispatchInput(call, adapter, request));
}

/** Whatever happens from here on, the hold is settled after the answer. */
async function answerUnderHold(call: Call, input: DispatchInput): Promise<FunctionUrlResponse> {
  try {
    if (!call.services.ledger.mayDispatch(call.hold)) throw heldTooLong();
    const served = await dispatch(input);
    const response =
      served.kind === 'whole' ? deliverWhole(call, served) : deliverStream(call, served);
    const answeredAtMs = call.services.now();
    return { ...response, afterEnd: () => settleServed(call, served, answeredAtMs) };
  } catch (error) {
    const known = toGatewayError(error);
    const response = errorResponse(known, call.hold.requestId);
    Object.assign(response.headers, rateLimitHeaders(call.hold.rateLimit));
    const answeredAtMs = call.services.now();
    return { ...response, afterEnd: () => settleFailed(call, { known, error, answeredAtMs }) };
  }
}

function dispatchInput<Request extends CommonRequest>(
  call: Call,
  adapter: RouteAdapter<Request>,
  request: Request,
): DispatchInput {
  const { services } = call;
  const context = (candidate: Candidate) =>
    answerContext(call, candidate, adapter.answerId(services.newUuid()));
  const familyOf = (candidate: Candidate) => adapter.families[candidate.deployment.family];
  return {
    candidates: call.candidates,
    streaming: call.streaming,
    send: services.send,
    readError: (candidate, status, body) => familyOf(candidate).readError(status, body),
    readAnswer: (candidate, body) =>
      familyOf(candidate).readAnswer(body, request, context(candidate)),
    openTranslator: (candidate) =>
      recording(familyOf(candidate).openStream(request, context(candidate)), call.rawEvents),
    onProviderFailure: (candidate, error) =>
      services.telemetry.fault('upstream_failure', error, {
        requestId: call.hold.requestId,
        deployment: candidate.deployment.id,
        provider: candidate.deployment.provider,
      }),
    now: services.now,
  };
}

function answerContext({ services }: Call, candidate: Candidate, id: string): AnswerContext {
  const seconds = () => Math.floor(services.now() / 1000);
  return {
    id,
    createdAt: seconds(),
    nextId: () => services.newUuid().replaceAll('-', ''),
    deployment: candidate.deployment,
    plan: candidate.plan,
    now: seconds,
  };
}

/** Keeps the raw events where the client asked for them (`raw_response`). */
function recording(
  translator: StreamTranslator,
  rawEvents: string[] | undefined,
): StreamTranslator {
  if (!rawEvents) return translator;
  return {
    ...translator,
    event: (data) => {
      rawEvents.push(data);
      return translator.event(data);
    },
  };
}

/** The database was too slow: the hold's minute to dispatch is over. */
function heldTooLong(): GatewayError {
  return new GatewayError('ledger_unavailable', 'The hold took too long. Please try again.');
}
