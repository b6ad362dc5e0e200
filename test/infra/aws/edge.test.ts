import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_COMMANDS } from '../../../infra/operator/account-commands.ts';
import { readArguments } from '../../../infra/operator/arguments.ts';
import { KEY_COMMANDS } from '../../../infra/operator/key-commands.ts';
import { EDGE_SECRET_HEADER } from '../../../shared/http/edge-lock.ts';
import { type Behavior, type Origin, synthesizeEdge } from '../../support/edge-template.ts';

const CERTIFICATE =
  'arn:aws:acm:us-east-1:000000000000:certificate/00000000-0000-0000-0000-000000000000';
const FIREWALL = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/own/00000000';

const plain = synthesizeEdge();
const withLarge = synthesizeEdge({ largeBodies: 'true' });

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
    for (const reference of referencesOf(synthesizeEdge({ edgeKey: 'second' }))) {
      expect(reference).toMatch(/:SecretString:second::\}\}/);
    }
    expect(() => synthesizeEdge({ edgeKey: 'third' })).toThrow(/edgeKey=third/);
  });

  test.each([
    ['true', 5],
    ['false', 0],
  ])('is demanded by the functions with lockToEdge=%s alone', (lockToEdge, count) => {
    const api = Template.fromStack(synthesizeEdge({ lockToEdge }).api.stack);
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
    const { config, template } = synthesizeEdge({
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
    const { config, deployment } = synthesizeEdge({ firewallArn: FIREWALL, firewall: 'true' });
    expect(config.WebACLId).toBe(FIREWALL);
    expect(deployment.app.node.tryFindChild('tollgate-dev-firewall')).toBeUndefined();
    expect(plain.config.WebACLId).toBeUndefined();
  });
});
