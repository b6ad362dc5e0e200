import * as z from 'zod';
import { type Catalog, type Model, PROVIDER_IDS } from '../../../shared/catalog/types.ts';
import { METERS } from '../../../shared/pricing/usage.ts';

const provider = z.enum(PROVIDER_IDS);
const family = z.enum(['openai', 'anthropic']);
const api = z.enum(['chat-completions', 'responses', 'messages']);
const date = z.iso.date();
const tokens = z.int().positive();
const usd = z.string().regex(/^\d+(?:\.\d+)?$/);
const aliases = z.array(z.string());

/** One entry of `graph.models`. */
export const catalogModel = z
  .strictObject({
    id: z.string().describe('Identifier of the model.'),
    author: z.string().describe('Who made it.'),
    name: z.string().describe('Its name for people.'),
    aliases: aliases.describe('Further identifiers that a request may use.'),
    series: z.string().describe('The series that it belongs to.'),
    released: date.describe('When it was released.'),
    knowledgeCutoff: date.describe('Until when it knows of the world.'),
    contextWindow: tokens.describe('Tokens of input and output together.'),
    maxOutput: tokens.describe('The most tokens that it writes in one answer.'),
  })
  .meta({
    title: 'Catalog model',
    description: 'A model, whoever offers it.',
  }) satisfies z.ZodType<Model>;

const capabilities = z.strictObject({
  functionCalling: z.boolean().describe('Takes function tools.'),
  parallelFunctionCalling: z.boolean().describe('May call several tools in one turn.'),
  customTools: z.boolean().describe('Takes custom tools.'),
  webSearch: z.boolean().describe('Has the hosted web search.'),
  explicitPromptCaching: z.boolean().describe('Takes `cache_control` markers.'),
  structuredOutputs: z.boolean().describe('Can be held to a JSON Schema.'),
  verbosity: z.boolean().describe('Takes the `verbosity` preference.'),
  prediction: z.boolean().describe('Takes `prediction`.'),
  searchModel: z
    .boolean()
    .describe('Searches once with every request, and takes `web_search_options`.'),
});

const reasoning = z.strictObject({
  availability: z
    .enum(['unsupported', 'optional', 'required'])
    .describe('Whether the model can reason, and whether it can do without.'),
  efforts: z
    .array(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']))
    .describe('Efforts that a request may ask for.'),
  budget: z
    .strictObject({
      minimum: tokens.describe('The smallest budget.'),
      maximum: tokens.describe('The largest budget.'),
    })
    .nullable()
    .describe('Token budgets that a request may ask for; null: none.'),
});

const meterPrice = z.union([
  z.strictObject({
    perMillion: usd.describe('US dollars for a million tokens.'),
    perMillionOver272k: z
      .exactOptional(usd)
      .describe('The same, for the whole request, once its input exceeds 272,000 tokens.'),
  }),
  z.strictObject({ per1kCalls: usd.describe('US dollars for a thousand calls.') }),
  z.strictObject({
    per1kLowContextCalls: usd.describe(
      'US dollars for a thousand calls with a low search context.',
    ),
    per1kMediumContextCalls: usd.describe('The same with a medium one.'),
    per1kHighContextCalls: usd.describe('The same with a high one.'),
  }),
]);

/** One entry of `graph.deployments`. */
export const catalogDeployment = z
  .strictObject({
    id: z.string().describe('Identifier of the deployment, which a request may use as `model`.'),
    provider: provider.describe('The provider that runs it.'),
    family: family.describe(
      'Which API it speaks, and so which fields it takes: `openai` (OpenAI and Azure) or `anthropic`.',
    ),
    model: z.string().describe('The model that it runs.'),
    aliases: aliases.describe('Further identifiers that a request may use.'),
    slugFamily: z
      .string()
      .describe('Deployments of one slug family differ in tier, speed or region alone.'),
    upstream: z
      .strictObject({
        model: z.string().describe("The provider's name of the model."),
        serviceTier: z
          .exactOptional(z.enum(['default', 'flex', 'priority', 'standard_only']))
          .describe('The tier that it runs on.'),
        speed: z.exactOptional(z.enum(['standard', 'fast'])).describe('The speed that it runs at.'),
        inferenceGeo: z.exactOptional(z.enum(['global', 'us'])).describe('Where it runs.'),
        reasoningMode: z.exactOptional(z.literal('pro')).describe('The mode that it reasons in.'),
      })
      .describe('What is sent to the provider to select it.'),
    contextWindow: tokens.describe('Tokens of input and output together.'),
    maxOutput: tokens.describe('The most tokens that it writes in one answer.'),
    retiredOn: date.nullable().describe('From when it is refused; null while it serves.'),
    routes: z.array(api).describe("The provider's APIs that serve it."),
    reasoning: reasoning.describe('How it reasons.'),
    capabilities: capabilities.describe('What it takes; the rest is a 400.'),
    anthropic: z
      .exactOptional(
        z.strictObject({
          thinking: z
            .enum(['adaptive', 'budget-and-effort'])
            .describe('How its reasoning is asked for.'),
          systemMessages: z.boolean().describe('Takes system messages late in the conversation.'),
          webSearchTool: z
            .enum(['web_search_20250305', 'web_search_20260209'])
            .describe('Version of its web search tool.'),
          webFetchTool: z
            .enum(['web_fetch_20250910', 'web_fetch_20260309'])
            .describe('Version of its web fetch tool.'),
        }),
      )
      .describe('Facts that only Anthropic models have.'),
    prices: z
      .partialRecord(z.enum(METERS), meterPrice)
      .describe('Price of each meter, as decimal strings of US dollars. Meters do not overlap.'),
  })
  .meta({
    title: 'Catalog deployment',
    description:
      'A model as one provider offers it, at one tier, speed and region, with its prices.',
  });

const catalogProvider = z.strictObject({
  id: provider.describe('Identifier of the provider.'),
  slug: z.string().describe('Second name that routing preferences and slug prefixes may use.'),
  name: z.string().describe('Its name for people.'),
  family: family.describe('Which API it speaks.'),
  responseHeaders: z
    .array(z.string())
    .describe('Response headers that `provider_response_headers` may show.'),
  rank: z.int().describe("Place in the catalog's own order: lower is tried first."),
});

const providerEndpoint = z.strictObject({
  id: z.string().describe('Identifier of the endpoint.'),
  provider: provider.describe('Whose it is.'),
  api: api.describe('The API that it speaks.'),
  path: z.string().describe("Path behind the provider's base address."),
});

const gatewayEndpoint = z.strictObject({
  id: z.enum(['chat-completions', 'responses']).describe('Identifier of the route.'),
  method: z.literal('POST').describe('Its method.'),
  path: z.string().describe('Its path.'),
  providerEndpoints: z.array(z.string()).describe('Endpoints of providers that can serve it.'),
});

/** Part 2.1. */
export const catalog = z
  .strictObject({
    version: z
      .literal('gateway.catalog.v1')
      .describe('Format of the catalog: always `gateway.catalog.v1`.'),
    generatedAt: z.iso.datetime().describe('When the catalog was last revised.'),
    graph: z
      .strictObject({
        models: z.record(z.string(), catalogModel).describe('Models by identifier.'),
        deployments: z.record(z.string(), catalogDeployment).describe('Deployments by identifier.'),
        providers: z.record(z.string(), catalogProvider).describe('Providers by identifier.'),
        providerEndpoints: z
          .record(z.string(), providerEndpoint)
          .describe("Providers' endpoints by identifier."),
        gatewayEndpoints: z
          .strictObject({
            'chat-completions': gatewayEndpoint.describe('`POST /v1/chat/completions`.'),
            responses: gatewayEndpoint.describe('`POST /v1/responses`.'),
          })
          .describe("The gateway's own routes by identifier."),
      })
      .describe('Models, who offers them, and the routes that reach them.'),
    indexes: z
      .strictObject({
        provider_endpoint_request_slugs: z
          .record(z.string(), z.string())
          .describe(
            'From `<providerEndpointId>:<slug>` to the ID of the deployment that it names.',
          ),
        slug_family_deployments: z
          .record(z.string(), z.array(z.string()))
          .describe('From `<providerId>:<slugFamily>` to the IDs of its deployments.'),
      })
      .describe('Lookups over the graph.'),
  })
  .meta({
    title: 'Catalog',
    description:
      'Everything that the service offers: models, deployments, prices, providers, routes and slugs.',
  }) satisfies z.ZodType<Catalog>;
