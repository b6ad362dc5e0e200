import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { chosenFirewall } from '../../../infra/aws/firewall.ts';
import { testDeployment } from '../../support/deployment.ts';

function synthesize() {
  const { app, settings, ...rest } = testDeployment({ env: 'prod', firewall: 'true' });
  chosenFirewall({ app, settings, ...rest });
  const [stack] = app.node.children.filter(({ node }) => node.id === 'tollgate-prod-firewall');
  // The one child of that name is the stack.
  const template = Template.fromStack(stack as never);
  const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
  return { template, acl: acl?.Properties };
}

interface Rule {
  readonly Name: string;
  readonly Priority: number;
  readonly Action?: { Block: { CustomResponse: CustomResponse } };
  readonly Statement: Record<string, Record<string, unknown>>;
}

interface CustomResponse {
  readonly ResponseCode: number;
  readonly CustomResponseBodyKey: string;
  readonly ResponseHeaders: { Name: string; Value: string }[];
}

interface ManagedGroup {
  readonly Name: string;
  readonly RuleActionOverrides: { Name: string; ActionToUse: Record<string, unknown> }[];
}

const { template, acl } = synthesize();
const rules: Rule[] = acl?.Rules;
const bodies: Record<string, Record<string, string>> = acl?.CustomResponseBodies;

function managedGroup(name: string): ManagedGroup {
  const rule = rules.find(({ Name }) => Name === name);
  return rule?.Statement.ManagedRuleGroupStatement as unknown as ManagedGroup;
}

describe('the firewall', () => {
  test('is of the kind that CloudFront takes, and cannot be deployed where it would not be found', () => {
    expect(acl).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
    const { Rules } = template.toJSON();
    expect(Rules.Region.Assertions[0].Assert).toEqual({
      'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'],
    });
    template.hasOutput('firewallarn', {});
  });

  test('answers what it blocks in the shape of the service', () => {
    const blocking = rules.flatMap(({ Action }) => Action?.Block.CustomResponse ?? []);
    expect(blocking.map(({ ResponseCode }) => ResponseCode)).toEqual([429, 403]);
    for (const { CustomResponseBodyKey, ResponseHeaders } of blocking) {
      const { ContentType, Content } = bodies[CustomResponseBodyKey] ?? {};
      expect(ContentType).toBe('APPLICATION_JSON');
      expect(JSON.parse(Content ?? '')).toEqual({
        error: {
          message: expect.any(String),
          type: expect.stringMatching(/^(rate_limit_error|permission_denied)$/),
        },
      });
      expect(ResponseHeaders).toContainEqual({ Name: 'access-control-allow-origin', Value: '*' });
    }
    expect(blocking[0]?.ResponseHeaders).toContainEqual({ Name: 'retry-after', Value: '60' });
  });

  test('lets no rule about bodies block, for prompts look like anything', () => {
    const { RuleActionOverrides } = managedGroup('AWSManagedRulesCommonRuleSet');
    const counted = RuleActionOverrides.map(({ Name, ActionToUse }) => {
      expect(ActionToUse).toEqual({ Count: {} });
      return Name;
    });
    // Every rule of the group that looks at bodies, of version 1.x.
    expect(counted).toEqual(
      expect.arrayContaining([
        'SizeRestrictions_BODY',
        'CrossSiteScripting_BODY',
        'GenericLFI_BODY',
        'GenericRFI_BODY',
        'EC2MetaDataSSRF_BODY',
      ]),
    );
    // No rule of its own reads bodies: there is nothing that could be too long to be read.
    expect(JSON.stringify(rules)).not.toMatch(/FieldToMatch|OversizeHandling/);
  });

  test('blocks bad addresses by the label that their list gives, after it was given', () => {
    const list = rules.find(({ Name }) => Name === 'AWSManagedRulesAmazonIpReputationList');
    const block = rules.find(({ Name }) => Name === 'known-bad-addresses');
    expect(list?.Priority).toBeLessThan(block?.Priority ?? 0);
    const { RuleActionOverrides } = managedGroup('AWSManagedRulesAmazonIpReputationList');
    for (const { Name } of RuleActionOverrides) {
      expect(JSON.stringify(block?.Statement)).toContain(
        `awswaf:managed:aws:amazon-ip-list:${Name}`,
      );
    }
  });

  test('keeps no sample of a request, for its headers hold keys', () => {
    const configs = JSON.stringify(acl).match(/"SampledRequestsEnabled":\w+/g);
    expect(new Set(configs)).toEqual(new Set(['"SampledRequestsEnabled":false']));
    expect(configs).toHaveLength(rules.length + 1);
  });
});
