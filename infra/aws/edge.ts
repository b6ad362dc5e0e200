import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  type DistributionProps,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { EDGE_SECRET_HEADER } from '../../shared/http/edge-lock.ts';
import { acknowledge } from './acknowledge.ts';
import type { Api, ApiFunction, RouteName } from './api.ts';
import type { Data } from './data.ts';
import { sizeRuleSource } from './edge/size-rule.ts';
import type { Deployment } from './function.ts';
import type { LargeBodies } from './large-bodies.ts';

/** The longest that CloudFront waits for the next bytes of an answer without a raised quota. */
export const LONGEST_SILENCE = Duration.seconds(120);
const KEEP_ALIVE = Duration.seconds(60);
/** As long as the documents say themselves that they may be kept. */
const DOCUMENTS_KEPT = Duration.minutes(5);
/** What CloudFront would otherwise keep for ten seconds and give to other clients. */
const NEVER_KEPT = [400, 403, 404, 500, 502, 503, 504];
const LARGE_ORIGIN_ID = 'large-bodies';
/** CloudFront knows an origin by a behavior alone. No route has this path: it is answered by 404. */
const LARGE_ORIGIN_PATH = '/large-bodies';

/** What stands behind the edge, and what stands before it. */
export interface EdgeParts {
  readonly data: Data;
  readonly api: Api;
  readonly largeBodies?: LargeBodies;
  /** ARN of a web ACL of CloudFront's scope. */
  readonly firewallArn?: string;
}

export interface Edge {
  readonly stack: Stack;
  readonly distribution: Distribution;
}

/** One base address for all routes: the distribution before the function URLs. */
export function createEdgeStack(deployment: Deployment, parts: EdgeParts): Edge {
  const { app, settings } = deployment;
  const stack = new Stack(app, `tollgate-${settings.name}-edge`, {
    description: 'Tollgate: one base address for all routes',
  });
  const distribution = new Distribution(stack, 'distribution', {
    comment: `Tollgate ${settings.name}`,
    ...behaviorsOf(stack, deployment, parts),
    ...domainOf(stack, deployment),
    httpVersion: HttpVersion.HTTP2_AND_3,
    errorResponses: NEVER_KEPT.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    logBucket: createLogBucket(stack, deployment),
    logFilePrefix: 'edge/',
    ...(parts.firewallArn === undefined ? {} : { webAclId: parts.firewallArn }),
  });
  acknowledgeEdge(distribution);
  addOutputs(stack, deployment, distribution);
  return { stack, distribution };
}

function acknowledgeEdge(distribution: Distribution): void {
  acknowledge(distribution, {
    CFR1: 'Clients may be anywhere: a key is the lock, not a country.',
    CFR2: 'A firewall is a choice of the operator (`-c firewall=true`); keys have rate limits.',
    CFR4: 'Under CloudFront’s own name no other choice is offered; an own domain takes TLS 1.2 on.',
  });
}

function behaviorsOf(
  stack: Stack,
  deployment: Deployment,
  { data, api, largeBodies }: EdgeParts,
): Pick<DistributionProps, 'defaultBehavior' | 'additionalBehaviors'> {
  const customHeaders = edgeHeaders(deployment, data);
  const everywhere = commonBehavior(stack, largeBodies);
  const originOf = ({ url }: ApiFunction) =>
    new FunctionUrlOrigin(url, {
      readTimeout: LONGEST_SILENCE,
      keepaliveTimeout: KEEP_ALIVE,
      customHeaders,
    });
  const relayed = (origin: IOrigin) => ({
    ...everywhere,
    origin,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    // Compression would gather the events of a stream before it lets them go.
    compress: false,
  });
  const kept = keptDocuments(stack, deployment);
  const at = (name: RouteName) => originOf(api.functions[name]);
  return {
    defaultBehavior: relayed(at('not-found')),
    additionalBehaviors: {
      '/v1/chat/completions': relayed(at('chat-completions')),
      '/v1/responses': relayed(at('responses')),
      '/v1/models': { ...everywhere, ...kept, origin: at('models') },
      '/v1/catalog': { ...everywhere, ...kept, origin: at('catalog') },
      ...(largeBodies && {
        [LARGE_ORIGIN_PATH]: relayed(largeOrigin(largeBodies, customHeaders)),
      }),
    },
  };
}

/** Every method and header reaches the code: it answers preflights, and 404 in the service's own shape. */
function commonBehavior(
  stack: Stack,
  largeBodies: LargeBodies | undefined,
): Omit<BehaviorOptions, 'origin'> {
  const sizeRule = new CloudFrontFunction(stack, 'size-rule', {
    comment: 'Answers 413 to a body that is too large; leads large ones to their origin',
    code: FunctionCode.fromInline(sizeRuleSource(largeBodies && { id: LARGE_ORIGIN_ID })),
    runtime: FunctionRuntime.JS_2_0,
  });
  return {
    allowedMethods: AllowedMethods.ALLOW_ALL,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // A redirect would come after the key was sent in the clear.
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    functionAssociations: [{ function: sizeRule, eventType: FunctionEventType.VIEWER_REQUEST }],
  };
}

/** The documents vary by nothing but their encoding, which is the edge's work; queries mean nothing. */
function keptDocuments(stack: Stack, { settings }: Deployment) {
  const cachePolicy = new CachePolicy(stack, 'documents', {
    cachePolicyName: `tollgate-${settings.name}-documents`,
    comment: 'Public documents, for as long as they say themselves',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: DOCUMENTS_KEPT,
    headerBehavior: CacheHeaderBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
  return { cachePolicy, compress: true };
}

/** CloudFront sets it on every request to an origin, whatever the client sent under that name. */
function edgeHeaders({ settings }: Deployment, { edgeSecret }: Data): Record<string, string> {
  // A reference that CloudFormation resolves while it deploys: no template holds the value.
  const value = edgeSecret.secretValueFromJson(settings.edgeKey).unsafeUnwrap();
  return { [EDGE_SECRET_HEADER]: value };
}

function largeOrigin({ vpcOrigin }: LargeBodies, customHeaders: Record<string, string>): IOrigin {
  return VpcOrigin.withVpcOrigin(vpcOrigin, {
    originId: LARGE_ORIGIN_ID,
    readTimeout: LONGEST_SILENCE,
    keepaliveTimeout: KEEP_ALIVE,
    customHeaders,
  });
}

/** Under its own name, CloudFront chooses the oldest version of TLS by itself. */
function domainOf(
  stack: Stack,
  { settings: { domain } }: Deployment,
): Pick<DistributionProps, 'domainNames' | 'certificate' | 'minimumProtocolVersion'> {
  if (domain === undefined) return {};
  return {
    domainNames: [domain.name],
    certificate: Certificate.fromCertificateArn(stack, 'certificate', domain.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

/** Who asked the edge for what: refusals of the edge reach no function's log. Neither bodies nor keys are in it. */
function createLogBucket(stack: Stack, { settings }: Deployment): IBucket {
  const bucket = new Bucket(stack, 'edge-logs', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // CloudFront writes its standard logs as an object owner of its own.
    objectOwnership: ObjectOwnership.OBJECT_WRITER,
    lifecycleRules: [{ expiration: Duration.days(settings.logRetention) }],
    removalPolicy: settings.removalPolicy,
  });
  acknowledge(bucket, { S1: 'These are access logs themselves.' });
  // The library's classes do not keep to `exactOptionalPropertyTypes`.
  return bucket as IBucket;
}

function addOutputs(
  stack: Stack,
  { settings: { name, domain } }: Deployment,
  distribution: Distribution,
): void {
  const host = domain?.name ?? distribution.distributionDomainName;
  const admin = `--env ${name} --region ${stack.region}`;
  new CfnOutput(stack, 'base-url', {
    value: `https://${host}/v1`,
    description: 'Base address for clients: OPENAI_BASE_URL',
  });
  if (domain) {
    new CfnOutput(stack, 'domain-target', {
      value: distribution.distributionDomainName,
      description: `What the DNS record of ${domain.name} must point at`,
    });
  }
  new CfnOutput(stack, 'next-command', {
    value: `npm run --silent admin -- account create --name "First account" --credit 25.00 ${admin}`,
    description: 'Makes the first account',
  });
  new CfnOutput(stack, 'then-command', {
    value: `npm run --silent admin -- key create --account ACCOUNT_ID ${admin}`,
    description: 'Makes its first key, with the accountId that the first command prints',
  });
}
