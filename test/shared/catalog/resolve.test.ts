import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCatalog } from '../../../catalog/write.ts';
import { GatewayError } from '../../../shared/api/error.ts';
import { loadCatalog } from '../../../shared/catalog/load.ts';
import { impliedServiceTier } from '../../../shared/catalog/markers.ts';
import { isRetired, listModels } from '../../../shared/catalog/public.ts';
import { type ModelRequest, resolveModel } from '../../../shared/catalog/resolve.ts';
import type { GatewayRoute } from '../../../shared/catalog/types.ts';
import { sameVariant, variantOf } from '../../../shared/catalog/variant.ts';

const catalog = loadCatalog(JSON.stringify(buildCatalog()));
const TODAY = '2026-08-20';
const ROUTES: readonly GatewayRoute[] = ['chat-completions', 'responses'];

function resolved(model: string, request: Partial<ModelRequest> = {}): string[] {
  const base = { model, route: 'responses', today: TODAY } as const;
  return resolveModel(catalog, { ...base, ...request }).map(({ id }) => id);
}

function refusal(model: string, request: Partial<ModelRequest> = {}): string {
  try {
    return `no refusal: ${resolved(model, request).join(', ')}`;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.message;
    throw error;
  }
}

describe('laws over the whole catalog', () => {
  const { deployments, gatewayEndpoints, providerEndpoints } = catalog.graph;
  const slugs = Object.entries(catalog.indexes.provider_endpoint_request_slugs);

  test('every indexed slug resolves to its deployment on each route of its endpoint', () => {
    for (const [key, id] of slugs) {
      const [endpoint = '', slug = ''] = key.split(':');
      expect(deployments[id]?.provider).toBe(providerEndpoints[endpoint]?.provider);
      if (deployments[id] && isRetired(deployments[id], TODAY)) continue;
      const routes = ROUTES.filter((route) =>
        gatewayEndpoints[route].providerEndpoints.includes(endpoint),
      );
      expect(routes).not.toHaveLength(0);
      for (const route of routes) expect(resolved(slug, { route })).toContain(id);
    }
  });

  test('every listed identifier resolves on a route, and the listing is free of retired models', () => {
    const { data } = listModels(catalog, TODAY);
    expect(data).toContainEqual({
      id: 'gpt-5.6',
      object: 'model',
      created: Date.UTC(2026, 6, 9) / 1000,
      owned_by: 'openai',
    });
    expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
    for (const { id } of data) {
      expect(ROUTES.some((route) => !refusal(id, { route }).startsWith('model:'))).toBe(true);
      expect(id).not.toContain('search-preview');
    }
    for (const id of Object.keys(deployments)) {
      expect(data.some((listed) => listed.id === id)).toBe(!id.includes('search-preview'));
    }
  });

  test('fallbacks share model, tier, speed and region with the first, at other providers', () => {
    for (const { id } of listModels(catalog, TODAY).data) {
      const [first, ...rest] = resolveModel(catalog, {
        model: id,
        route: 'responses',
        ...(id.includes('search') && { route: 'chat-completions' }),
        today: TODAY,
      });
      for (const other of rest) {
        expect(other.model).toBe(first.model);
        expect(sameVariant(variantOf(other), variantOf(first))).toBe(true);
        expect(other.upstream.reasoningMode).toBe(first.upstream.reasoningMode);
      }
      const providers = [first, ...rest].map(({ provider }) => provider);
      expect(new Set(providers).size).toBe(providers.length);
    }
  });

  test('markers in any order, with any prefix, name one deployment', () => {
    const marked = fc.constantFrom(
      {
        base: 'claude-opus',
        markers: ['latest', 'us', 'fast'],
        id: 'anthropic-claude-opus-5-fast-us',
      },
      {
        base: 'claude-opus-5',
        markers: ['us', 'latest', 'auto'],
        id: 'anthropic-claude-opus-5-us',
      },
      { base: 'claude-opus-4-8', markers: ['fast', 'us'], id: 'anthropic-claude-opus-4-8-fast-us' },
      {
        base: 'claude-opus-4-5',
        markers: ['standard-only', 'latest'],
        id: 'anthropic-claude-opus-4-5-20251101',
      },
      {
        base: 'anthropic-claude-sonnet-5',
        markers: ['us', 'standard'],
        id: 'anthropic-claude-sonnet-5-us',
      },
    );
    const prefix = fc.constantFrom('', 'anthropic/', 'anthropic/anthropic/');
    const order = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(marked, prefix, order, ({ base, markers, id }, before, keys) => {
        const shuffled = markers
          .map((marker, index) => ({ marker, key: keys[index] ?? 0 }))
          .sort((one, other) => one.key - other.key);
        const slug = [`${before}${base}`, ...shuffled.map(({ marker }) => marker)].join('-');
        expect(resolved(slug)).toEqual([id]);
      }),
    );
  });

  test('no string at all makes anything but a resolution or a 400', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (model, tier) => {
        expect(refusal(model, { serviceTier: tier ?? undefined })).toMatch(
          /^(model|service_tier): /,
        );
      }),
    );
    for (const model of ['__proto__', 'constructor', 'toString', '']) {
      expect(refusal(model)).toMatch(/^model: /);
    }
  });
});

describe('provider routing (2.3)', () => {
  test.each([
    ['gpt-5.6-sol', undefined, ['openai-gpt-5.6-sol', 'azure-gpt-5.6-sol']],
    ['gpt-5.6', 'AZURE', ['azure-gpt-5.6-sol']],
    ['gpt-5.6', 'Azure-OpenAI', ['azure-gpt-5.6-sol']],
    ['gpt-5.6', { only: ['openai'] }, ['openai-gpt-5.6-sol']],
    ['gpt-5.6', { order: ['azure'] }, ['azure-gpt-5.6-sol', 'openai-gpt-5.6-sol']],
    ['gpt-5.6', { order: ['azure', 'openai'], only: ['OpenAI'] }, ['openai-gpt-5.6-sol']],
    ['gpt-5.6', { order: ['anthropic'] }, ['openai-gpt-5.6-sol', 'azure-gpt-5.6-sol']],
    ['azure/gpt-5.6', undefined, ['azure-gpt-5.6-sol']],
    ['azure/openai/gpt-5.6', undefined, ['azure-gpt-5.6-sol']],
    ['openai/gpt-5.6-flex', undefined, ['openai-gpt-5.6-sol-flex']],
  ])('%s with %j', (model, preference, expected) => {
    expect(resolved(model, { preference })).toEqual(expected);
  });

  test.each([
    ['gpt-5.6', { preference: 'nobody' }, /^provider: "nobody" is not a provider/],
    ['gpt-5.6', { preference: { order: ['nobody'] }, preferenceField: 'rules' }, /^rules\.order: /],
    ['gpt-5.6', { preference: { only: ['anthropic'] } }, /^provider: .*openai, azure/],
    ['azure/gpt-5.6', { preference: 'openai' }, /^provider: /],
    ['azure/gpt-5.5', {}, /^model: .*offered by openai alone/],
    ['gpt-9', {}, /^model: "gpt-9" is unknown/],
    ['gpt-5.6-pro', { route: 'chat-completions' }, /^model: .*POST \/v1\/responses/],
    ['gpt-5-search-api', {}, /^model: .*POST \/v1\/chat\/completions/],
    ['gpt-4o-search-preview', { route: 'chat-completions' }, /^model: .*retired on 2026-07-23/],
    ['gpt-5-nano', { today: '2026-12-11' }, /^model: .*retired on 2026-12-11/],
  ] as const)('%s with %j is refused', (model, request, message) => {
    expect(refusal(model, request)).toMatch(message);
  });

  test('a model serves to the day before its retirement', () => {
    expect(resolved('gpt-5-nano', { today: '2026-12-10' })).toEqual([
      'openai-gpt-5-nano-2025-08-07',
    ]);
  });
});

describe('tier, speed and region (2.4)', () => {
  test.each([
    ['gpt-5.6', { serviceTier: 'auto' }, ['openai-gpt-5.6-sol', 'azure-gpt-5.6-sol']],
    ['gpt-5.6', { serviceTier: 'default' }, ['openai-gpt-5.6-sol', 'azure-gpt-5.6-sol']],
    ['gpt-5.6', { serviceTier: 'flex' }, ['openai-gpt-5.6-sol-flex']],
    [
      'gpt-5.6',
      { serviceTier: 'flex', preference: { order: ['azure'] } },
      ['openai-gpt-5.6-sol-flex'],
    ],
    ['gpt-5.6', { serviceTier: 'priority' }, ['openai-gpt-5.6-sol-fast']],
    ['gpt-5.6-fast', { serviceTier: 'priority' }, ['openai-gpt-5.6-sol-fast']],
    ['gpt-5.6-luna-pro-fast', {}, ['openai-gpt-5.6-luna-pro-fast']],
    ['gpt-5.6-luna-pro', { serviceTier: 'flex' }, ['openai-gpt-5.6-luna-pro-flex']],
    ['claude-opus-5', { serviceTier: 'priority' }, ['anthropic-claude-opus-5']],
    ['claude-opus-5', { serviceTier: 'standard_only' }, ['anthropic-claude-opus-5']],
    ['claude-opus-5', { speed: 'fast' }, ['anthropic-claude-opus-5-fast']],
    ['claude-opus-5-us', { speed: 'fast' }, ['anthropic-claude-opus-5-fast-us']],
    ['claude-opus-5', { speed: 'fast', inferenceGeo: 'us' }, ['anthropic-claude-opus-5-fast-us']],
    ['claude-opus-5', { speed: 'standard', inferenceGeo: 'global' }, ['anthropic-claude-opus-5']],
    ['claude-opus-4-5', { speed: 'standard' }, ['anthropic-claude-opus-4-5-20251101']],
  ])('%s with %j', (model, request, expected) => {
    expect(resolved(model, request)).toEqual(expected);
  });

  test.each([
    ['gpt-5.6', { serviceTier: 'scale' }, /^service_tier: "scale".*auto, default, flex, priority/],
    ['gpt-5.6', { serviceTier: 'standard' }, /^service_tier: /],
    ['gpt-5.6', { serviceTier: 'standard_only' }, /^service_tier: /],
    ['gpt-5.6', { speed: 'fast' }, /^speed: .*leave the field out/],
    ['gpt-5.6', { inferenceGeo: 'us' }, /^inference_geo: .*leave the field out/],
    ['azure/gpt-5.6', { serviceTier: 'flex' }, /^service_tier: .*provider azure/],
    ['gpt-5.6-flex', { serviceTier: 'priority' }, /^service_tier: .*contradicts the marker/],
    ['gpt-5.6-fast', { serviceTier: 'default' }, /^service_tier: .*contradicts/],
    ['gpt-5.6-auto', { serviceTier: 'flex' }, /^service_tier: .*contradicts/],
    ['openai-gpt-5.6-sol-flex', { serviceTier: 'auto' }, /^service_tier: .*contradicts/],
    ['claude-opus-5', { serviceTier: 'scale' }, /^service_tier: /],
    ['claude-opus-5-auto', { serviceTier: 'default' }, /^service_tier: .*contradicts/],
    ['claude-opus-5-us', { inferenceGeo: 'global' }, /^inference_geo: .*contradicts/],
    ['claude-opus-5-fast', { speed: 'standard' }, /^speed: .*contradicts/],
    ['claude-opus-5-standard', { speed: 'fast' }, /^speed: .*contradicts/],
    ['claude-sonnet-5', { speed: 'fast' }, /^speed: .*not available for claude-sonnet-5/],
    ['claude-opus-4-5', { inferenceGeo: 'global' }, /^inference_geo: .*not available/],
    ['claude-opus-5', { speed: 'toString' }, /^speed: /],
    ['gpt-5.6-us', {}, /^model: /],
  ])('%s with %j is refused', (model, request, message) => {
    expect(refusal(model, request)).toMatch(message);
  });

  test('a tier marker says which service_tier it implies', () => {
    expect(impliedServiceTier('claude-opus-5-us-auto')).toBe('auto');
    expect(impliedServiceTier('claude-opus-5-standard-only')).toBe('standard_only');
    expect(impliedServiceTier('claude-opus-5-fast')).toBeUndefined();
  });
});

test('a catalog that is broken or of another format is unavailable', () => {
  for (const json of ['', '{', 'null', '{"version":"gateway.catalog.v2"}']) {
    expect(() => loadCatalog(json)).toThrow(
      expect.objectContaining({
        code: 'catalog_unavailable',
        message: 'The catalog is unavailable.',
      }),
    );
  }
});
