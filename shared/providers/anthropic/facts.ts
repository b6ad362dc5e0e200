import type { AnthropicFacts, Deployment } from '../../catalog/types.ts';

/** Facts of the deployment that every deployment of this family has: the catalog compiler sees to it. */
export function anthropicFacts(deployment: Deployment): AnthropicFacts {
  if (!deployment.anthropic) {
    throw new Error(`deployment ${deployment.id} has no facts of the Anthropic family`);
  }
  return deployment.anthropic;
}
