/** The opening page of the reference. */
export const ABOUT = `Tollgate puts one OpenAI-compatible address between applications and the model providers. It checks the API key, holds the most that a request can cost on the account's balance, relays the request to OpenAI, Azure or Anthropic, and settles the exact cost.

## First request

\`\`\`sh
curl "$BASE_URL/v1/chat/completions" \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model": "claude-sonnet-5", "messages": [{"role": "user", "content": "Say hello."}]}'
\`\`\`

OpenAI's client libraries work as they are: set their base URL to \`$BASE_URL/v1\`.

## Two families of models

Every model is of one of two families, and both POST routes serve both.

- **OpenAI and Azure models** are relayed. Fields and events that the provider adds pass through; objects where that may happen are marked \`x-relayed\`.
- **Anthropic models** are translated, both ways.

A field that only one family takes says so below. Sent to the other, it is a 400 that names it. \`GET /v1/catalog\` tells what each deployment takes.

## Rules for every request

- Unknown fields are refused, never ignored. For an optional field, an explicit \`null\` reads as absent.
- The service is text-only: images, audio and files are refused.
- Nothing is stored. Send the whole conversation with each request.
- The identity that providers see is derived from the key. Retention and fallback are the service's own; clients cannot set them.
- Bodies may have 100,000,000 bytes, counted after decompression (\`gzip\`, \`deflate\`, \`br\`, \`zstd\`). A deployed function URL takes no more than 6 MB.

## Money and limits

Before the provider is asked, the most that the request can cost is held; afterwards the exact cost is charged and the rest given back. A request that the provider refused, or failed before any output, costs nothing. What can be refused is refused in this order: 401, 413, 400, then 503, 403, 429, 402.

Each key has a token bucket. Every POST answer tells its state in \`x-ratelimit-*\`; a 429 tells in \`retry-after\` how long to wait.

## Errors

Every error has the same body, \`{"error": {"message", "type"}}\`. The message names the field at fault and what to change. An unknown path, or a known one with another method, is a 404.

## Streams

With \`stream\` true, the answer is a sequence of server-sent events: \`data:\` lines with JSON, and \`data: [DONE]\` as the last. An error before the first event is a status; after it, the chat route sends an error frame and the responses route \`response.failed\`, then \`[DONE]\`. Usage always comes, in the last JSON frame.

## Headers of every answer

\`x-request-id\` names the request. CORS is open: every origin may call, without the browser's credentials. Security headers are set on every answer.`;

export const CHAT_ABOUT = `Answers a conversation in the form of OpenAI's chat completions, by any model of the catalog that is offered on this route.

\`\`\`sh
curl "$BASE_URL/v1/chat/completions" \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model": "gpt-5.6-sol", "stream": true, "messages": [{"role": "user", "content": "Say hello."}]}'
\`\`\``;

export const RESPONSES_ABOUT = `Answers a conversation in the form of OpenAI's responses, by any model of the catalog that is offered on this route. Nothing is stored: \`previous_response_id\` and \`conversation\` are refused.

\`\`\`sh
curl "$BASE_URL/v1/responses" \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model": "claude-sonnet-5", "input": "Say hello."}'
\`\`\``;

export const MODELS_ABOUT = `Every identifier that a request may name: models, their aliases, deployments and their aliases. Retired models are not listed. Needs no key.

\`\`\`sh
curl "$BASE_URL/v1/models"
\`\`\``;

export const CATALOG_ABOUT = `Models, deployments with their prices and capabilities, providers, routes, and the slugs that select a deployment. Needs no key.

\`\`\`sh
curl "$BASE_URL/v1/catalog"
\`\`\``;

export const TAGS = [
  { name: 'Inference', description: 'Ask a model. Needs an API key.' },
  { name: 'Discovery', description: 'What there is to ask. Needs no key.' },
  { name: 'Browsers', description: 'Preflight requests, which browsers send by themselves.' },
] as const;
