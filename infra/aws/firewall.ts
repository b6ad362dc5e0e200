import { CfnOutput, CfnRule, Fn, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { ERRORS, errorBody, GatewayError } from '../../shared/api/error.ts';
import { COMMON_HEADERS } from '../../shared/http/headers.ts';
import type { Deployment } from './function.ts';

/** The one region in which CloudFront looks for its web ACLs. */
const CLOUDFRONT_REGION = 'us-east-1';
/**
 * Requests of one address in five minutes. Keys have rate limits of their own and one address may
 * stand for a whole company: this is against floods, not against busy clients.
 */
const MOST_REQUESTS = 60_000;
const RATE_WINDOW_SECONDS = 300;

/** Rules of the common set that look at what a prompt may well hold, or refuse honest clients. */
const COUNTED_RULES = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'EC2MetaDataSSRF_BODY',
  'NoUserAgent_HEADER',
];
/** Rules of the reputation list; each labels what it finds. */
const ADDRESS_RULES = ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'];
const ADDRESS_LABELS = 'awswaf:managed:aws:amazon-ip-list';

/** The web ACL of the settings: one that exists, a new one, or none. */
export function chosenFirewall(deployment: Deployment): { firewallArn?: string } {
  const { firewall, firewallArn } = deployment.settings;
  if (firewallArn !== undefined) return { firewallArn };
  return firewall ? { firewallArn: createFirewallStack(deployment) } : {};
}

/**
 * The web application firewall of the edge, in a stack of its own, for CloudFront takes it from
 * us-east-1 alone. Answers the ARN of its web ACL. Deploying it elsewhere fails with the way out.
 */
function createFirewallStack({ app, settings }: Deployment): string {
  const stack = new Stack(app, `tollgate-${settings.name}-firewall`, {
    description: 'Tollgate: web application firewall of the edge (us-east-1)',
  });
  new CfnRule(stack, 'Region', {
    assertions: [
      {
        assert: Fn.conditionEquals(stack.region, CLOUDFRONT_REGION),
        assertDescription: `CloudFront takes web ACLs from ${CLOUDFRONT_REGION} alone: deploy this stack there and the others with -c firewallArn=...`,
      },
    ],
  });
  const acl = new CfnWebACL(stack, 'web-acl', {
    name: `tollgate-${settings.name}`,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visible('web-acl'),
    customResponseBodies: RESPONSE_BODIES,
    rules: [floods(), reputationList(), knownBadAddresses(), commonRules()],
  });
  new CfnOutput(stack, 'firewall-arn', {
    value: acl.attrArn,
    description: 'For -c firewallArn=... where the other stacks are in another region',
  });
  return acl.attrArn;
}

const TOO_MANY = new GatewayError(
  'rate_limit',
  'Too many requests came from this address. Wait a minute and send fewer at a time.',
  { retryAfterMs: 60_000 },
);
const BAD_ADDRESS = new GatewayError(
  'permission',
  'Requests from this address are refused. Send them from another network.',
);

/** What is blocked is answered in the service's own shape. */
const RESPONSE_BODIES = {
  [TOO_MANY.code]: responseBody(TOO_MANY),
  [BAD_ADDRESS.code]: responseBody(BAD_ADDRESS),
};

function responseBody(error: GatewayError): CfnWebACL.CustomResponseBodyProperty {
  return { contentType: 'APPLICATION_JSON', content: JSON.stringify(errorBody(error)) };
}

function block(error: GatewayError): CfnWebACL.RuleActionProperty {
  const headers: Record<string, string> = { ...COMMON_HEADERS };
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(error.retryAfterMs / 1000);
  return {
    block: {
      customResponse: {
        responseCode: ERRORS[error.code].status,
        customResponseBodyKey: error.code,
        responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      },
    },
  };
}

function floods(): CfnWebACL.RuleProperty {
  return {
    name: 'floods',
    priority: 0,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        limit: MOST_REQUESTS,
        evaluationWindowSec: RATE_WINDOW_SECONDS,
      },
    },
    action: block(TOO_MANY),
    visibilityConfig: visible('floods'),
  };
}

/** Counts and labels; the next rule blocks by the label, for a managed group cannot answer in our shape. */
function reputationList(): CfnWebACL.RuleProperty {
  return managedGroup('AWSManagedRulesAmazonIpReputationList', 1, ADDRESS_RULES);
}

function knownBadAddresses(): CfnWebACL.RuleProperty {
  return {
    name: 'known-bad-addresses',
    priority: 2,
    statement: {
      orStatement: {
        statements: ADDRESS_RULES.map((rule) => ({
          labelMatchStatement: { scope: 'LABEL', key: `${ADDRESS_LABELS}:${rule}` },
        })),
      },
    },
    action: block(BAD_ADDRESS),
    visibilityConfig: visible('known-bad-addresses'),
  };
}

/**
 * The common set, without its say on bodies: prompts hold scripts, paths and addresses by nature,
 * and are longer than what a firewall looks at. What it counts is in its metrics.
 */
function commonRules(): CfnWebACL.RuleProperty {
  return managedGroup('AWSManagedRulesCommonRuleSet', 3, COUNTED_RULES);
}

/** A group of AWS, of which some rules only count and label. */
function managedGroup(
  name: string,
  priority: number,
  counted: readonly string[],
): CfnWebACL.RuleProperty {
  const ruleActionOverrides = counted.map((rule) => ({
    name: rule,
    actionToUse: { count: {} },
  }));
  return {
    name,
    priority,
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name, ruleActionOverrides } },
    overrideAction: { none: {} },
    visibilityConfig: visible(name),
  };
}

/** No samples: they would show the headers of requests, and with them keys. */
function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
