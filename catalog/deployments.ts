import type { Capabilities, Deployment, Model } from '../shared/catalog/types.ts';
import type { ReportFault } from './fault.ts';
import {
  callPrices,
  lacksSearchModelPrice,
  missingLongPrices,
  missingTokenPrices,
  missingWebSearchMeters,
  tokenPrices,
} from './prices.ts';
import type { ModelEntry, ProviderEntry } from './read-source.ts';
import type { OfferSource, TokenPricesSource } from './source-schema.ts';

/** A deployment with the source that it comes from. */
export interface CompiledDeployment {
  readonly entry: ModelEntry;
  readonly deployment: Deployment;
  /** `models[2].offers[0]` */
  readonly field: string;
}

interface OfferContext {
  readonly entry: ModelEntry;
  readonly offer: OfferSource;
  readonly field: string;
  readonly source: ProviderEntry;
  readonly report: ReportFault;
}

/** The model as the catalog serves it, without what only its deployments are made from. */
export function modelOf({ model, author, series }: ModelEntry): Model {
  const { id, name, aliases, released, knowledgeCutoff, contextWindow, maxOutput } = model;
  return { id, author, name, aliases, series, released, knowledgeCutoff, contextWindow, maxOutput };
}

/** Deployments of a model, one for each variant of each offer. Reports what the sources lack. */
export function deploymentsOf(
  entry: ModelEntry,
  providers: ReadonlyMap<string, ProviderEntry>,
  report: ReportFault,
): CompiledDeployment[] {
  const compiled = entry.model.offers.flatMap((offer, index) => {
    const field = `${entry.field}.offers[${index}]`;
    const source = providers.get(offer.provider);
    if (source) return deploymentsOfOffer({ entry, offer, field, source, report });
    report({
      file: entry.file,
      field: `${field}.provider`,
      problem: `no provider "${offer.provider}"`,
    });
    return [];
  });
  reportUnused(entry, compiled, report);
  return compiled;
}

function deploymentsOfOffer(context: OfferContext): CompiledDeployment[] {
  const { entry, offer, field, source, report } = context;
  const { file } = entry;
  const { provider } = source;
  for (const [index, api] of offer.apis.entries()) {
    if (provider.endpoints[api] !== undefined) continue;
    const problem = `provider ${provider.id} has no endpoint for ${api}`;
    report({ file, field: `${field}.apis[${index}]`, problem });
  }
  if ((provider.family === 'anthropic') !== (entry.model.anthropic !== undefined)) {
    const problem = `${provider.family === 'anthropic' ? 'missing' : 'not taken'} for provider ${provider.id}`;
    report({ file, field: `${entry.field}.anthropic`, problem });
  }
  for (const variant of Object.keys(offer.contextWindows ?? {})) {
    if (offer.variants.includes(variant)) continue;
    const problem = `the offer has no variant "${variant}"`;
    report({ file, field: `${field}.contextWindows.${variant}`, problem });
  }
  return offer.variants.flatMap((variant) => deploymentOf(context, variant) ?? []);
}

function deploymentOf(context: OfferContext, variant: string): CompiledDeployment | undefined {
  const { entry, offer, field, source, report } = context;
  const { model, file } = entry;
  const { provider } = source;
  const settings = provider.variants[variant];
  const own = offer.prices?.[variant];
  const priced = own ?? model.prices[variant];
  const priceField = own ? `${field}.prices.${variant}` : `${entry.field}.prices.${variant}`;
  if (!settings) {
    const problem = `provider ${provider.id} has no variant "${variant}"`;
    report({ file, field: `${field}.variants`, problem });
  }
  if (!priced) {
    report({ file, field: priceField, problem: `missing price for provider ${provider.id}` });
  }
  if (!settings || !priced) return undefined;
  const { idSuffix, ...upstream } = settings;
  const slugFamily = offer.reasoningMode ? `${model.id}-${offer.reasoningMode}` : model.id;
  const id = `${provider.id}-${slugFamily}${idSuffix}`;
  const { reasoningMode } = offer;
  const deployment: Deployment = {
    id,
    provider: provider.id,
    family: provider.family,
    model: model.id,
    aliases: model.deploymentAliases[id] ?? [],
    slugFamily,
    upstream: { model: model.id, ...defined(upstream), ...(reasoningMode && { reasoningMode }) },
    contextWindow: offer.contextWindows?.[variant] ?? model.contextWindow,
    maxOutput: model.maxOutput,
    retiredOn: model.retiredOn,
    routes: offer.apis,
    reasoning: model.reasoning,
    capabilities: capabilitiesOf(model.capabilities, offer.without ?? []),
    ...(model.anthropic && { anthropic: model.anthropic }),
    prices: { ...tokenPrices(priced), ...searchPrices(context) },
  };
  reportPrices(context, { deployment, priced, priceField });
  reportLimits(entry, deployment, report);
  return { entry, deployment, field };
}

/** Without the keys whose value is undefined. */
function defined<Value extends object>(value: Value) {
  // Dropping undefined members is what separates the two types.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };
}

function searchPrices({ entry, offer, source }: OfferContext): Deployment['prices'] {
  const { capabilities, callPrices: own } = entry.model;
  const hosted = capabilities.includes('webSearch') && !offer.without?.includes('webSearch');
  const ofProvider = hosted ? offer.apis.map((api) => source.provider.webSearchCalls[api]) : [];
  return callPrices(Object.assign({}, ...ofProvider, own));
}

function capabilitiesOf(has: readonly string[], without: readonly string[]): Capabilities {
  const can = (capability: keyof Capabilities) =>
    has.includes(capability) && !without.includes(capability);
  return {
    functionCalling: can('functionCalling'),
    parallelFunctionCalling: can('parallelFunctionCalling'),
    customTools: can('customTools'),
    webSearch: can('webSearch'),
    explicitPromptCaching: can('explicitPromptCaching'),
    structuredOutputs: can('structuredOutputs'),
    verbosity: can('verbosity'),
    prediction: can('prediction'),
    searchModel: can('searchModel'),
  };
}

interface PricedDeployment {
  readonly deployment: Deployment;
  readonly priced: TokenPricesSource;
  readonly priceField: string;
}

function reportPrices(
  { entry, source, report }: OfferContext,
  { deployment, priced, priceField }: PricedDeployment,
): void {
  const { file } = entry;
  for (const name of missingTokenPrices(deployment, priced)) {
    report({ file, field: `${priceField}.${name}`, problem: `missing price of ${deployment.id}` });
  }
  for (const name of missingLongPrices(priced)) {
    report({ file, field: `${priceField}.${name}`, problem: 'missing price over 272,000 tokens' });
  }
  for (const [api, meter] of missingWebSearchMeters(deployment)) {
    const problem = `missing price of ${deployment.id}`;
    report({ file: source.file, field: `webSearchCalls.${api}.${meter}`, problem });
  }
  if (lacksSearchModelPrice(deployment)) {
    const problem = `missing price of ${deployment.id}'s search`;
    report({ file, field: `${entry.field}.callPrices`, problem });
  }
}

function reportLimits(
  { file, field, model }: ModelEntry,
  deployment: Deployment,
  report: ReportFault,
) {
  const { availability, efforts, budget } = model.reasoning;
  if (model.maxOutput > deployment.contextWindow) {
    report({ file, field: `${field}.maxOutput`, problem: 'is above the context window' });
  }
  if (budget && (budget.minimum > budget.maximum || budget.maximum >= model.maxOutput)) {
    report({
      file,
      field: `${field}.reasoning.budget`,
      problem: 'must rise and stay below maxOutput',
    });
  }
  if ((availability === 'unsupported') !== (efforts.length === 0 && !budget)) {
    const problem = 'contradicts its efforts and budget';
    report({ file, field: `${field}.reasoning.availability`, problem });
  }
}

/** A key that nothing uses is a mistyped one. */
function reportUnused(
  { file, field, model }: ModelEntry,
  compiled: readonly CompiledDeployment[],
  report: ReportFault,
): void {
  const ids = new Set(compiled.map(({ deployment }) => deployment.id));
  for (const id of Object.keys(model.deploymentAliases)) {
    if (ids.has(id)) continue;
    const problem = `the model has no deployment "${id}"`;
    report({ file, field: `${field}.deploymentAliases.${id}`, problem });
  }
  const offered = new Set(model.offers.flatMap(({ variants }) => variants));
  for (const variant of Object.keys(model.prices)) {
    if (offered.has(variant)) continue;
    const problem = `no offer has the variant "${variant}"`;
    report({ file, field: `${field}.prices.${variant}`, problem });
  }
}
