import type { RoutingPreference } from '../catalog/resolve.ts';
import type { Deployment, Family, GatewayRoute } from '../catalog/types.ts';
import type { HostedToolPlan } from '../pricing/hold-plan.ts';
import type {
  AnswerContext,
  StreamTranslator,
  TranslationTarget,
  UpstreamFailure,
  UpstreamRequest,
  WholeAnswer,
} from '../providers/contract.ts';

/** The fields of both routes that the gateway itself acts on. */
export interface CommonRequest {
  readonly model: string;
  readonly provider?: RoutingPreference | undefined;
  readonly rules?: RoutingPreference | undefined;
  readonly stream?: boolean | undefined;
  readonly service_tier?: string | undefined;
  readonly speed?: string | undefined;
  readonly inference_geo?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** How one family serves one route: the way there and the way back. */
export interface FamilyAdapter<Request extends CommonRequest> {
  readonly translate: (request: Request, target: TranslationTarget) => UpstreamRequest;
  readonly openStream: (request: Request, context: AnswerContext) => StreamTranslator;
  readonly readAnswer: (body: unknown, request: Request, context: AnswerContext) => WholeAnswer;
  readonly readError: (status: number, body: unknown) => UpstreamFailure;
}

/** One POST route: what it accepts, and how each family serves it. */
export interface RouteAdapter<Request extends CommonRequest> {
  readonly route: GatewayRoute;
  readonly path: string;
  readonly parse: (body: unknown) => Request;
  readonly check: (request: Request, deployment: Deployment) => void;
  readonly outputCap: (request: Request) => number | undefined;
  readonly planHostedTools: (request: Request, deployment: Deployment) => HostedToolPlan;
  /** ID of an answer on this route, from a fresh UUID. */
  readonly answerId: (uuid: string) => string;
  readonly families: Readonly<Record<Family, FamilyAdapter<Request>>>;
}
