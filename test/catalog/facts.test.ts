import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCatalog } from '../../catalog/write.ts';
import type { Deployment, MeterPrice, Model } from '../../shared/catalog/types.ts';

const FACTS = new URL('../../../shared/facts/models.json', import.meta.url);

function modelFacts(model: Model) {
  const { knowledgeCutoff, contextWindow, maxOutput, ...rest } = model;
  return {
    ...rest,
    knowledge_cutoff: knowledgeCutoff,
    context_window: contextWindow,
    max_output: maxOutput,
  };
}

function priceFacts(price: MeterPrice) {
  if ('per1kCalls' in price) return { per_1k_calls: price.per1kCalls };
  if ('perMillion' in price) {
    const over = price.perMillionOver272k;
    return { per_million: price.perMillion, ...(over && { per_million_over_272k: over }) };
  }
  return {
    per_1k_search_context_low_calls: price.per1kLowContextCalls,
    per_1k_search_context_medium_calls: price.per1kMediumContextCalls,
    per_1k_search_context_high_calls: price.per1kHighContextCalls,
  };
}

function deploymentFacts(deployment: Deployment) {
  const { capabilities, prices } = deployment;
  const { id, provider, model, aliases, upstream, routes, reasoning } = deployment;
  return {
    ...{ id, provider, model, aliases, upstream, routes, reasoning },
    context_window: deployment.contextWindow,
    max_output: deployment.maxOutput,
    retired_on: deployment.retiredOn,
    prices: Object.fromEntries(
      Object.entries(prices).map(([meter, price]) => [meter, priceFacts(price)]),
    ),
    capabilities: {
      function_calling: capabilities.functionCalling,
      parallel_function_calling: capabilities.parallelFunctionCalling,
      web_search: capabilities.webSearch,
      explicit_prompt_caching: capabilities.explicitPromptCaching,
      structured_outputs: capabilities.structuredOutputs,
    },
    slug_family: deployment.slugFamily,
  };
}

function byId<Item extends { id: string }>(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
}

test.skipIf(!existsSync(FACTS))('no model, limit or price differs from the collected facts', () => {
  const facts = JSON.parse(readFileSync(FACTS, 'utf8'));
  const { models, deployments } = buildCatalog().graph;

  expect(byId(Object.values(models).map(modelFacts))).toEqual(byId(facts.models));
  expect(byId(Object.values(deployments).map(deploymentFacts))).toEqual(byId(facts.deployments));
});
