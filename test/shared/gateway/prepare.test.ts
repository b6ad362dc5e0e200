import { expect, test } from 'vitest';
import { buildCatalog } from '../../../catalog/write.ts';
import type { Deployment } from '../../../shared/catalog/types.ts';
import { holdOf, prepareCall } from '../../../shared/gateway/prepare.ts';
import { RESPONSES } from '../../../shared/gateway/responses.ts';
import { catalogDeployment } from '../../support/deployments.ts';

const OPENAI = 'openai-gpt-5.6-sol';
const AZURE = 'azure-gpt-5.6-sol';
const { prices, capabilities } = catalogDeployment(AZURE);

/** The candidates for a request that OpenAI serves first, with Azure's deployment changed. */
function candidates(changes: Partial<Deployment>, fields: Record<string, unknown> = {}) {
  const { graph, ...rest } = buildCatalog();
  const deployments = { ...graph.deployments, [AZURE]: catalogDeployment(AZURE, changes) };
  return prepareCall(RESPONSES, {
    catalog: { ...rest, graph: { ...graph, deployments } },
    body: { model: 'gpt-5.6-sol', input: 'Say hello.', max_output_tokens: 100, ...fields },
    providers: new Set(['openai', 'azure']),
    identity: 'identity',
    today: '2026-11-01',
  }).candidates;
}

test.each([
  ['300', AZURE],
  ['3', OPENAI],
])('with fallback output at %s dollars the hold is that of %s, the dearest', (perMillion, id) => {
  const both = candidates({ prices: { ...prices, output_tokens: { perMillion } } });
  expect(both.map(({ deployment }) => deployment.id)).toEqual([OPENAI, AZURE]);
  const amounts = new Map(both.map(({ deployment, estimate }) => [deployment.id, estimate.amount]));
  expect(holdOf(both)).toBe(amounts.get(id));
  expect(new Set(amounts.values()).size).toBe(2);
});

test('a fallback without a price for a hosted tool is none', () => {
  const searches = { ...capabilities, webSearch: true };
  const priced = { ...prices, openai_responses_web_search_calls: { per1kCalls: '10' } };
  const { openai_responses_web_search_calls: _price, ...unpriced } = priced;
  const withSearch = { tools: [{ type: 'web_search' }] };
  expect(candidates({ capabilities: searches, prices: priced }, withSearch)).toHaveLength(2);
  expect(candidates({ capabilities: searches, prices: unpriced }, withSearch)).toHaveLength(1);
});
