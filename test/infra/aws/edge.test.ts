import crypto from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiStack } from '../../../infra/aws/api.ts';
import { createDataStack } from '../../../infra/aws/data.ts';
import { createEdgeStack } from '../../../infra/aws/edge.ts';
import { chosenFirewall } from '../../../infra/aws/firewall.ts';
import { createLargeBodiesStack } from '../../../infra/aws/large-bodies.ts';
import { ACCOUNT_COMMANDS } from '../../../infra/operator/account-commands.ts';
import { readArguments } from '../../../infra/operator/arguments.ts';
import { KEY_COMMANDS } from '../../../infra/operator/key-commands.ts';
import { EDGE_SECRET_HEADER } from '../../../shared/http/edge-lock.ts';
import { BODY_LIMIT_BYTES } from '../../../shared/http/request-body.ts';
import { testDeployment } from '../../support/deployment.ts';
import { type RunningGateway, startGateway } from '../../support/gateway.ts';

const CERTIFICATE =
  'arn:aws:acm:us-east-1:000000000000:certificate/00000000-0000-0000-0000-000000000000';
const FIREWALL = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/own/00000000';

interface Origin {
  readonly Id: string;
  readonly OriginCustomHeaders: { HeaderName: string; HeaderValue: unknown }[];
  readonly CustomOriginConfig?: Record<string, unknown>;
  readonly VpcOriginConfig?: Record<string, unknown>;
  readonly DomainName: unknown;
}

interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly [property: string]: unknown;
}

function synthesize(context: Readonly<Record<string, unknown>> = {}) {
  const deployment = testDeployment({ env: 'dev', ...context });
  const data = createDataStack(deployment);
  const api = createApiStack(deployment, data);
  const image = ContainerImage.fromRegistry('example.com/tollgate');
  const { stack } = createEdgeStack(deployment, {
    data,
    api,
    ...(deployment.settings.largeBodies && {
      largeBodies: createLargeBodiesStack(deployment, data, image),
    }),
    ...chosenFirewall(deployment),
  });
  const template = Template.fromStack(stack);
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  const config = distribution?.Properties.DistributionConfig;
  const behaviors: Behavior[] = [config.DefaultCacheBehavior, ...config.CacheBehaviors];
  const [rule] = Object.values(template.findResources('AWS::CloudFront::Function'));
  return {
    deployment,
    stack,
    api,
    template,
    config,
    behaviors,
    origins: config.Origins as Origin[],
    ruleSource: rule?.Properties.FunctionCode as string,
  };
}

const plain = synthesize();
const withLarge = synthesize({ largeBodies: 'true' });

describe('the distribution', () => {
  test('leads each path to its function, and every other path to not-found', () => {
    const functionOf = ({ TargetOriginId }: Behavior) => {
      const origin = plain.origins.find(({ Id }) => Id === TargetOriginId);
      return /ExportsOutputFnGetAtt(\w+?)FunctionUrl/.exec(JSON.stringify(origin?.DomainName))?.[1];
    };
    const targets = plain.behaviors.map((one) => [one.PathPattern ?? '*', functionOf(one)]);
    expect(Object.fromEntries(targets)).toEqual({
      '*': 'notfound',
      '/v1/chat/completions': 'chatcompletions',
      '/v1/responses': 'responses',
      '/v1/models': 'models',
      '/v1/catalog': 'catalog',
    });
  });

  test('lets every method, header and preflight through to the code, over TLS alone', () => {
    for (const behavior of plain.behaviors) {
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.CachedMethods).toBeUndefined();
      expect(behavior.ViewerProtocolPolicy).toBe('https-only');
      // AllViewerExceptHostHeader: function URLs know themselves by their host.
      expect(behavior.OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
    }
  });

  test('keeps nothing but the documents, and compresses nothing else', () => {
    const kept = plain.behaviors.filter(({ Compress }) => Compress);
    expect(kept.map(({ PathPattern }) => PathPattern)).toEqual(['/v1/models', '/v1/catalog']);
    for (const behavior of plain.behaviors.filter(({ Compress }) => !Compress)) {
      // CachingDisabled.
      expect(behavior.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    }
    plain.template.hasResourceProperties('AWS::CloudFront::CachePolicy', {
      CachePolicyConfig: {
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 300,
        ParametersInCacheKeyAndForwardedToOrigin: {
          CookiesConfig: { CookieBehavior: 'none' },
          HeadersConfig: { HeaderBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'none' },
          EnableAcceptEncodingBrotli: true,
          EnableAcceptEncodingGzip: true,
        },
      },
    });
    const errors = plain.config.CustomErrorResponses as { ErrorCachingMinTTL: number }[];
    expect(errors.map(({ ErrorCachingMinTTL }) => ErrorCachingMinTTL)).toEqual(Array(7).fill(0));
  });

  test('waits for an answer as long as CloudFront can', () => {
    for (const { CustomOriginConfig } of plain.origins) {
      expect(CustomOriginConfig).toMatchObject({
        OriginReadTimeout: 120,
        OriginKeepaliveTimeout: 60,
        OriginProtocolPolicy: 'https-only',
      });
    }
  });

  test('speaks HTTP/2 and HTTP/3, and logs into a closed bucket that forgets', () => {
    expect(plain.config.HttpVersion).toBe('http2and3');
    const bucket = plain.config.Logging.Bucket['Fn::GetAtt'][0];
    expect(Object.keys(plain.template.findResources('AWS::S3::Bucket'))).toEqual([bucket]);
    plain.template.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 7, Status: 'Enabled' }] },
    });
  });

  test('prints the base address and the next commands, which the admin command takes', () => {
    plain.template.hasOutput('baseurl', {
      Value: { 'Fn::Join': ['', ['https://', Match.anyValue(), '/v1']] },
    });
    for (const name of ['nextcommand', 'thencommand']) {
      const [output] = Object.values(plain.template.findOutputs(name));
      const [text = '', region] = output?.Value['Fn::Join'][1] ?? [];
      expect(region).toEqual({ Ref: 'AWS::Region' });
      const [, command = ''] = text.split('npm run --silent admin -- ');
      const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
      const [group, verb, ...rest] = [...words, 'eu-central-1'];
      const shape = { ...ACCOUNT_COMMANDS, ...KEY_COMMANDS }[`${group} ${verb}`];
      const args = shape && readArguments(rest, shape);
      expect(args?.text('env')).toBe('dev');
      expect(args?.text('region')).toBe('eu-central-1');
    }
  });
});

describe('the secret of the edge', () => {
  const referencesOf = ({ origins }: { origins: Origin[] }) =>
    origins.map(({ OriginCustomHeaders }) => {
      expect(OriginCustomHeaders).toHaveLength(1);
      expect(OriginCustomHeaders[0]?.HeaderName).toBe(EDGE_SECRET_HEADER);
      return JSON.stringify(OriginCustomHeaders[0]?.HeaderValue);
    });

  test('goes with every request, locked or not, and by reference alone', () => {
    const references = referencesOf(withLarge);
    expect(references).toHaveLength(6);
    for (const reference of references) {
      expect(reference).toMatch(/\{\{resolve:secretsmanager:.*:SecretString:first::\}\}/);
    }
  });

  test('is its second value where the settings say so', () => {
    for (const reference of referencesOf(synthesize({ edgeKey: 'second' }))) {
      expect(reference).toMatch(/:SecretString:second::\}\}/);
    }
    expect(() => synthesize({ edgeKey: 'third' })).toThrow(/edgeKey=third/);
  });

  test.each([
    ['true', 5],
    ['false', 0],
  ])('is demanded by the functions with lockToEdge=%s alone', (lockToEdge, count) => {
    const api = Template.fromStack(synthesize({ lockToEdge }).api.stack);
    const functions = Object.values(api.findResources('AWS::Lambda::Function'));
    const told = functions.filter(
      ({ Properties }) => 'EDGE_SECRET_ARN' in Properties.Environment.Variables,
    );
    expect(told).toHaveLength(count);
    const readers = Object.values(api.findResources('AWS::IAM::Policy')).filter((policy) =>
      /GetSecretValue.*EdgeSecret/.test(JSON.stringify(policy)),
    );
    expect(readers).toHaveLength(count);
  });
});

describe('what the settings add', () => {
  test('a domain of its own, with TLS 1.2 and newer', () => {
    const { config, template } = synthesize({
      domainName: 'llm.example.com',
      certificateArn: CERTIFICATE,
    });
    expect(config.Aliases).toEqual(['llm.example.com']);
    expect(config.ViewerCertificate).toMatchObject({
      AcmCertificateArn: CERTIFICATE,
      MinimumProtocolVersion: 'TLSv1.2_2021',
    });
    template.hasOutput('baseurl', { Value: 'https://llm.example.com/v1' });
    template.hasOutput('domaintarget', {});
  });

  test('a firewall that exists elsewhere, in place of one of its own', () => {
    const { config, deployment } = synthesize({ firewallArn: FIREWALL, firewall: 'true' });
    expect(config.WebACLId).toBe(FIREWALL);
    expect(deployment.app.node.tryFindChild('tollgate-dev-firewall')).toBeUndefined();
    expect(plain.config.WebACLId).toBeUndefined();
  });
});

/** What CloudFront hands to a function, as far as the rule reads it. */
interface EdgeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs the very text that is deployed, on a request; where it was led to, and what was answered. */
function runRule(source: string, { method, headers }: EdgeRequest) {
  let originId = 'of the behavior';
  const cf = {
    selectRequestOriginById: (id: string) => {
      originId = id;
    },
  };
  const request = {
    method,
    uri: '/v1/responses',
    querystring: {},
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    cookies: {},
  };
  const event = {
    version: '1.0',
    context: { eventType: 'viewer-request', requestId: 'CF-request-id_1==' },
    viewer: { ip: '192.0.2.1' },
    request,
  };
  const script = source.replace(/^import \w+ from '\w+';$/gm, '');
  const result = runInNewContext(`${script}\nhandler(event)`, { cf, crypto, event });
  return result === request ? { originId } : { refused: result };
}

describe('the size rule', () => {
  const EVENT_BYTES = 6_291_456;
  const SURE_BYTES = 2_000_000;
  const post = (bytes: number | undefined, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...headers, ...(bytes !== undefined && { 'content-length': String(bytes) }) },
  });

  test.each([
    ['no body', post(0)],
    ['the longest body', post(EVENT_BYTES)],
    ['the longest compressed body', post(4_718_592, { 'content-encoding': 'gzip' })],
    ['a body of unknown length', post(undefined)],
    ['a plain body that says so', post(EVENT_BYTES, { 'content-encoding': 'Identity' })],
    ...['GET', 'HEAD', 'OPTIONS'].map((method) => [method, { method, headers: {} }] as const),
  ] as const)('lets %s through to its function', (_, request) => {
    expect(runRule(plain.ruleSource, request)).toEqual({ originId: 'of the behavior' });
  });

  test.each([
    ['one byte more', post(EVENT_BYTES + 1), EVENT_BYTES],
    ['one compressed byte more', post(4_718_593, { 'content-encoding': 'br' }), 4_718_592],
    ['far more', post(10_000_000_000), EVENT_BYTES],
    ['a PUT', { ...post(EVENT_BYTES + 1), method: 'PUT' }, EVENT_BYTES],
  ])('refuses %s without a large origin', (_, request, limit) => {
    const { refused } = runRule(plain.ruleSource, request);
    expect(refused.statusCode).toBe(413);
    expect(JSON.parse(refused.body.data).error.message).toContain(`larger than ${limit} bytes`);
  });

  test.each([
    ['a small body', post(SURE_BYTES), 'of the behavior'],
    ['one byte more', post(SURE_BYTES + 1), 'large-bodies'],
    ['the longest body', post(BODY_LIMIT_BYTES), 'large-bodies'],
    ['a compressed one', post(SURE_BYTES + 1, { 'content-encoding': 'gzip' }), 'large-bodies'],
    ['a body of unknown length', post(undefined), 'large-bodies'],
    [
      'a length that is none',
      { method: 'POST', headers: { 'content-length': 'x' } },
      'large-bodies',
    ],
    ['a request without a body', { method: 'GET', headers: {} }, 'of the behavior'],
    ['a preflight', { method: 'OPTIONS', headers: {} }, 'of the behavior'],
  ])('with a large origin leads %s where it is taken', (_, request, originId) => {
    expect(runRule(withLarge.ruleSource, request)).toEqual({ originId });
  });

  test('knows the large origin by its ID in the distribution', () => {
    const origin = withLarge.origins.find(({ Id }) => Id === 'large-bodies');
    expect(origin?.VpcOriginConfig).toMatchObject({ OriginReadTimeout: 120 });
  });

  test('fits into CloudFront, which takes 10 KB, and imports in its first line', () => {
    for (const { ruleSource } of [plain, withLarge]) {
      expect(Buffer.byteLength(ruleSource)).toBeLessThan(10_000);
      expect(ruleSource).toMatch(/^import cf from 'cloudfront';\n/);
      expect(ruleSource).not.toContain('__SETTINGS__');
    }
    plain.template.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
  });

  describe('beside the gateway itself', () => {
    let gateway: RunningGateway;
    beforeAll(async () => {
      gateway = await startGateway();
    });
    afterAll(() => gateway?.stop());

    test('answers exactly as the gateway does', async () => {
      const body = Buffer.alloc(BODY_LIMIT_BYTES + 1, ' ');
      const answer = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.apiKey}` },
        body,
      });
      const { refused } = runRule(withLarge.ruleSource, post(body.length));
      expect(answer.status).toBe(refused.statusCode);
      expect(await answer.text()).toBe(refused.body.data);
      const theirs = Object.fromEntries(answer.headers);
      const ours = Object.entries<{ value: string }>(refused.headers);
      expect(ours.map(([name]) => name)).toContain('access-control-allow-origin');
      for (const [name, { value }] of ours) {
        if (name === 'x-request-id') {
          expect(value).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
          const mintedAtMs = Number.parseInt(value.replace('-', '').slice(0, 12), 16);
          expect(Math.abs(Date.now() - mintedAtMs)).toBeLessThan(60_000);
        } else {
          expect(theirs[name]).toBe(value);
        }
      }
      // What the gateway adds to it is of the connection, or of the key's bucket.
      const more = Object.keys(theirs).filter((name) => !(name in refused.headers));
      expect(
        more.filter(
          (name) =>
            !/^(date|connection|keep-alive|transfer-encoding|content-length|x-ratelimit-.*)$/.test(
              name,
            ),
        ),
      ).toEqual([]);
    });
  });
});
