import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutAbsent } from '../../shared/api/absent.ts';
import { CHAT_REQUEST, parseChatRequest } from '../../shared/api/chat-request.ts';
import { GatewayError } from '../../shared/api/error.ts';
import { parseResponsesRequest, RESPONSES_REQUEST } from '../../shared/api/responses-request.ts';
import { isRequestDocumented } from '../support/openapi.ts';
import { mutated } from '../support/spec-bad-input.ts';
import { BASES } from '../support/spec-bad-input-bases.ts';
import { CACHING } from '../support/spec-chat-request-caching.ts';
import { CAPS } from '../support/spec-chat-request-caps.ts';
import { FAMILY as CHAT_FAMILY } from '../support/spec-chat-request-family.ts';
import { OUTPUT } from '../support/spec-chat-request-output.ts';
import { REASONING as CHAT_REASONING } from '../support/spec-chat-request-reasoning.ts';
import { ROUTING } from '../support/spec-chat-request-routing.ts';
import { SAMPLING as CHAT_SAMPLING } from '../support/spec-chat-request-sampling.ts';
import { STREAM as CHAT_STREAM } from '../support/spec-chat-request-stream.ts';
import { TOOLS as CHAT_TOOLS } from '../support/spec-chat-request-tools.ts';
import { type Claims, PATHS, type Route, requestOf } from '../support/spec-gateway.ts';
import { CALLS } from '../support/spec-input-item-calls.ts';
import { MESSAGES } from '../support/spec-input-item-messages.ts';
import { FAMILY } from '../support/spec-responses-request-family.ts';
import { REASONING } from '../support/spec-responses-request-reasoning.ts';
import { SAMPLING } from '../support/spec-responses-request-sampling.ts';
import { STREAM } from '../support/spec-responses-request-stream.ts';
import { TOOLS } from '../support/spec-responses-request-tools.ts';

const CLAIMS: Readonly<Record<Route, readonly Claims[]>> = {
  chat: [
    ...[CACHING, CAPS, CHAT_FAMILY, OUTPUT, CHAT_REASONING],
    ...[ROUTING, CHAT_SAMPLING, CHAT_STREAM, CHAT_TOOLS],
  ],
  responses: [CALLS, MESSAGES, FAMILY, REASONING, SAMPLING, STREAM, TOOLS],
};

/** Rules of the parser that JSON Schema cannot say: each stands in a description. */
const RULES_IN_WORDS = [
  /are the same (?:field|setting)/,
  /needs at least one of "only" and "order"/,
  /requires stream to be true/,
  /max_tokens and max_completion_tokens differ/,
  /bytes of UTF-8|well-formed Unicode/,
  /must be an https:\/\/ address/,
  /names must be unique|labels must be unique/,
  /must name one entry of mcp_servers|needs an entry of tools with type "mcp_toolset"/,
  /which tools does not declare|declare a tool/,
  /text-only/,
  /nests deeper|JSON values|properties; split it/,
];

/** What the parser says: undefined where it takes the body. */
function refusalOf(path: string, body: unknown): string | undefined {
  try {
    (path === PATHS.chat ? parseChatRequest : parseResponsesRequest)(structuredClone(body));
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
}

/** Unknown fields that are null read as absent as well; the document has no word for them. */
function withoutNulls(path: string, body: unknown): unknown {
  return withoutAbsent(body, (path === PATHS.chat ? CHAT_REQUEST : RESPONSES_REQUEST).absent);
}

/** Fails where the document and the parser do not agree on a body. */
function expectAgreement(path: string, body: unknown): void {
  const refusal = refusalOf(path, body);
  if (refusal === undefined) {
    const allowed =
      isRequestDocumented(path, body) || isRequestDocumented(path, withoutNulls(path, body));
    expect(allowed, `taken, but not documented: ${JSON.stringify(body).slice(0, 2_000)}`).toBe(
      true,
    );
  } else if (!RULES_IN_WORDS.some((rule) => rule.test(refusal))) {
    const allowed = isRequestDocumented(path, body);
    expect(
      allowed,
      `documented, but refused: ${refusal}: ${JSON.stringify(body).slice(0, 2_000)}`,
    ).toBe(false);
  }
}

describe.each(['chat', 'responses'] as const)('%s', (route) => {
  const forms = CLAIMS[route].flatMap(({ accepted, refused }) => [...accepted, ...refused]);

  test.each(forms)('document and parser agree: $claim', ({ fields }) => {
    expectAgreement(PATHS[route], JSON.parse(JSON.stringify(requestOf(route, fields))));
  });
});

test.each(BASES)('a good request on %s is documented: %j', (path, body) => {
  expect(isRequestDocumented(path, body)).toBe(true);
});

test('document and parser agree on what is wrong in any way', () => {
  // The body parser refuses such keys before anything else sees them.
  const reaching = mutated.filter(({ text }) => !text.includes('__proto__'));
  const agree = fc.property(reaching, ({ path, text }) => expectAgreement(path, JSON.parse(text)));
  fc.assert(agree, { numRuns: Number(process.env.OPENAPI_CASES ?? 2_000) });
});
