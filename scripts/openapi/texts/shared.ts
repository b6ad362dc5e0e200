import type { Texts } from '../describe.ts';
import { ANTHROPIC_ONLY, OPENAI_ONLY } from './families.ts';

const SERVICE_TIER = `Which of the provider's service tiers serves the request.

- OpenAI models take \`auto\`, \`default\`, \`flex\` and \`priority\`: \`flex\` and \`priority\` select the model's deployment of that tier, with its own prices, where the catalog has one; \`auto\` and \`default\` the standard one. Azure models take \`auto\` and \`default\`.
- Anthropic models take all six values, and every one is priced at the standard tier. \`auto\` and \`priority\` are sent as \`auto\`, the others as \`standard_only\`.

\`scale\` and \`provisioned\` are not available. A slug that carries a tier must agree with this field.`;

/** Fields that both POST routes take with the same rules (2.4, 2.7). */
export const SHARED_FIELDS = {
  model:
    'The model: an identifier of `GET /v1/models`, or any slug of the catalog. A slug may name its provider (`azure/gpt-5.6-sol`), a tier (`gpt-5.6-sol-flex`), a speed or region (`claude-opus-5-us-fast`) and `latest`. An unknown or retired model, or one that the route does not offer, is a 400.',
  provider:
    'Which providers may serve the request, and in what order, where several offer the model. Never sent to the provider. Not together with `rules`.',
  rules: 'Another name of `provider`, with the same meaning. Send only one of them.',
  stream:
    'True: the answer comes as server-sent events. False, the default: it comes as one JSON body.',
  parallel_tool_calls:
    'Whether the model may call several tools in one turn. Left out: as the provider does by default, which is true.',
  temperature:
    "Sampling temperature; the default is 1. Its bounds are the provider's own, and only its type is checked here. Anthropic models do not take it together with `top_p`.",
  top_p:
    "Nucleus sampling: the share of probability to sample from. Its bounds are the provider's own. Anthropic models do not take it together with `temperature`.",
  top_k: `Samples from the \`top_k\` most probable tokens only. ${ANTHROPIC_ONLY}`,
  top_logprobs: `How many alternatives to report with each token's log probability; the provider's own limits apply. ${OPENAI_ONLY}`,
  frequency_penalty: `Penalty for tokens by how often they occurred; its bounds are the provider's own. ${OPENAI_ONLY}`,
  presence_penalty: `Penalty for tokens that occurred at all; its bounds are the provider's own. ${OPENAI_ONLY}`,
  prompt_cache_key: `Groups requests that share a prompt prefix, so that the provider's cache is found again. 1 to 256 bytes of UTF-8, without NUL, CR and LF. ${OPENAI_ONLY} Those have \`cache_control\` instead.`,
  prompt_cache_retention: `How long the provider keeps the cached prompt. Known aliases are normalised before they are sent: \`in-memory\`, \`inmemory\` and \`default\` become \`in_memory\`; \`24hr\`, \`24hrs\`, \`24hours\` and \`extended\` become \`24h\`. ${OPENAI_ONLY}`,
  cache_control: `Caches the prompt up to its last block. Markers may also stand on text blocks and on tools, at most four in all, and none with a longer life after one with a shorter. Cache writes are held at their dearest price. ${ANTHROPIC_ONLY} Those have \`prompt_cache_key\` instead.`,
  stop_sequences: `Texts at which the model stops. An empty list reads as absent. ${ANTHROPIC_ONLY}`,
  task_budget: `An advisory token budget for the whole task, sent on as it stands. It does not make the hold smaller. ${ANTHROPIC_ONLY}`,
  context_management: `Edits that the provider makes to a long context, sent on as they stand. It does not make the hold smaller. ${ANTHROPIC_ONLY}`,
  inference_geo: `Where the model runs: \`global\` at multi-region prices, or \`us\` at US-only prices, for models that have such a deployment. ${ANTHROPIC_ONLY}`,
  speed: `\`fast\` selects the model's fast deployment, with its own prices, where the catalog has one; \`standard\` the normal one. ${ANTHROPIC_ONLY}`,
  service_tier: SERVICE_TIER,
  metadata:
    'Labels of your own for the usage log and the ledger entry. Never sent to the provider. At most 16 properties; keys of 1 to 64 characters, values of at most 512.',
} as const;

/** What the schemas of both routes say, by the name of their component. */
export const SHARED_TEXTS: Texts = {
  RoutingPreference: {
    title: 'Routing preference',
    about:
      'Selects among the providers that offer a model: the name of one provider, or an object with at least one of `only` and `order`. What neither decides is decided by the order of the catalog. Providers are named by identifier or slug: `openai`, `azure` (or `azure-openai`), `anthropic`. Nobody left to serve the request is a 400.',
    fields: {
      only: 'Providers that may serve the request; at least one. No other is asked, also not as a fallback.',
      order: 'Providers in the order of preference, after `only` has filtered them; at least one.',
    },
  },
  CacheControl: {
    title: 'Cache marker',
    about:
      'Marks the end of a prompt prefix that the provider should cache. Anthropic models only.',
    fields: {
      type: 'The kind of cache entry: always `ephemeral`.',
      ttl: 'How long the entry lives: `5m`, the default, or `1h`, which costs more to write.',
    },
  },
  Metadata: {
    title: 'Metadata',
    about:
      'Labels for the usage log and the ledger. At most 16 properties, with keys of 1 to 64 characters and text values of at most 512 characters. Never sent to the provider.',
  },
};
