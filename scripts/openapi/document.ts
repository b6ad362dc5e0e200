import { buildCatalog } from '../../catalog/write.ts';
import { listModels } from '../../shared/catalog/public.ts';
import type { Catalog } from '../../shared/catalog/types.ts';
import { answerComponents } from './answer-components.ts';
import { HEADERS, PARAMETERS } from './headers.ts';
import { paths } from './operations.ts';
import { requestComponents } from './request-components.ts';
import { type Part, responseComponents } from './responses.ts';
import { ABOUT, TAGS } from './texts/document.ts';

/** Version of the interface description (part 9). */
const INTERFACE_VERSION = '1.0.0';

const KEY = 'The gateway API key, which begins with `tg_`.';

/** Part 5: the key may stand in any one of these headers. */
const SECURITY_SCHEMES = {
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: `${KEY} The usual way: \`Authorization: Bearer <API_KEY>\`.`,
  },
  PlainAuthorization: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: `${KEY} Directly, with no scheme word.`,
  },
  ApiKey: { type: 'apiKey', in: 'header', name: 'api-key', description: KEY },
  XApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: KEY },
  XAltApiKey: { type: 'apiKey', in: 'header', name: 'x-alt-api-key', description: KEY },
} as const;

/** The whole OpenAPI 3.1 document of the service. The same sources always give the same document. */
function openapiDocument(): Part {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tollgate API',
      version: INTERFACE_VERSION,
      summary: 'A prepaid, metered gateway for large language models.',
      description: ABOUT,
    },
    servers: [
      {
        url: '{base_url}',
        description: 'Your gateway',
        variables: {
          base_url: {
            default: 'http://127.0.0.1:8787',
            description:
              'The base address: what `npm start` prints, or what the deployment put out.',
          },
        },
      },
    ],
    tags: TAGS,
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    paths: paths(documentExamples(buildCatalog())),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...requestComponents(), ...answerComponents() },
      responses: responseComponents(),
      parameters: PARAMETERS,
      headers: HEADERS,
    },
  };
}

/** The text of `openapi.json`. */
export function openapiText(): string {
  return `${JSON.stringify(openapiDocument(), null, 2)}\n`;
}

const SHOWN_MODEL = 'claude-sonnet-5';
const SHOWN_DEPLOYMENT = 'anthropic-claude-sonnet-5';

/** The two documents as the catalog gives them, cut down to one model. */
function documentExamples(catalog: Catalog) {
  const { graph, indexes } = catalog;
  const only = <Value>(
    entries: Readonly<Record<string, Value>>,
    isShown: (entry: [string, Value]) => boolean,
  ) => Object.fromEntries(Object.entries(entries).filter(isShown));
  const named =
    (name: string) =>
    ([key]: [string, unknown]) =>
      key === name;
  const models = listModels(catalog, catalog.generatedAt.slice(0, 10));
  return {
    models: {
      ...models,
      data: models.data.filter(({ id }) => id.includes(SHOWN_MODEL)).slice(0, 3),
    },
    catalog: {
      ...catalog,
      graph: {
        models: only(graph.models, named(SHOWN_MODEL)),
        deployments: only(graph.deployments, named(SHOWN_DEPLOYMENT)),
        providers: only(graph.providers, named('anthropic')),
        providerEndpoints: only(graph.providerEndpoints, named('anthropic-messages')),
        gatewayEndpoints: graph.gatewayEndpoints,
      },
      indexes: {
        provider_endpoint_request_slugs: only(
          indexes.provider_endpoint_request_slugs,
          ([, deployment]) => deployment === SHOWN_DEPLOYMENT,
        ),
        slug_family_deployments: only(
          indexes.slug_family_deployments,
          named('anthropic:claude-sonnet-5'),
        ),
      },
    },
  };
}
