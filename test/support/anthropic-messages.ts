import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a message has blocks of many shapes
type Loose = any;

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const name = fc.stringMatching(/^[a-z_]{1,12}$/);
const input = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const count = fc.nat({ max: 100_000 });
const url = fc.webUrl();

const citation = fc.oneof(
  fc.record({
    type: fc.constant('web_search_result_location'),
    url,
    title: fc.option(text),
    cited_text: text,
    encrypted_index: fc.constant('opaque'),
  }),
  fc.record({
    type: fc.constant('char_location'),
    document_index: fc.nat({ max: 2 }),
    document_title: fc.option(text),
    cited_text: text,
    start_char_index: count,
    end_char_index: count,
  }),
);

const textBlock = fc.record({
  type: fc.constant('text'),
  text,
  citations: fc.array(citation, { maxLength: 2 }),
});
const thinking = fc.record({
  type: fc.constant('thinking'),
  thinking: text,
  signature: fc.base64String({ minLength: 4, maxLength: 16 }),
});
const redacted = fc.record({
  type: fc.constant('redacted_thinking'),
  data: fc.base64String({ minLength: 4, maxLength: 16 }),
});
const code = fc.record({ type: fc.constant('code_execution_tool_result'), content: input });

interface Call {
  readonly use: Loose;
  /** Absent: the answer ended before it came. */
  readonly result: Loose;
}

const search: fc.Arbitrary<Call> = fc
  .record({ query: text, urls: fc.array(url, { maxLength: 3 }), failed: fc.boolean() })
  .map(({ query, urls, failed }) => ({
    use: { type: 'server_tool_use', name: 'web_search', input: { query } },
    result: {
      type: 'web_search_tool_result',
      content: failed
        ? { type: 'web_search_tool_result_error', error_code: 'unavailable' }
        : urls.map((found) => ({ type: 'web_search_result', url: found, title: found })),
    },
  }));
const fetched: fc.Arbitrary<Call> = url.map((page) => ({
  use: { type: 'server_tool_use', name: 'web_fetch', input: { url: page } },
  result: {
    type: 'web_fetch_tool_result',
    content: { type: 'web_fetch_result', url: page, content: { type: 'document' } },
  },
}));
const codeRun: fc.Arbitrary<Call> = code.map((result) => ({
  use: { type: 'server_tool_use', name: 'code_execution', input: { code: 'print(1)' } },
  result,
}));
const mcp: fc.Arbitrary<Call> = fc
  .record({ name, input, output: text, is_error: fc.boolean() })
  .map(({ name: tool, input: asked, output, is_error }) => ({
    use: { type: 'mcp_tool_use', name: tool, server_name: 'server', input: asked },
    result: { type: 'mcp_tool_result', is_error, content: [{ type: 'text', text: output }] },
  }));

const hosted = fc
  .record({
    call: fc.oneof(search, fetched, codeRun, mcp),
    between: fc.array(textBlock),
    cut: fc.nat(9),
  })
  .map(({ call: { use, result }, between, cut }) =>
    // One call in ten never gets its result.
    cut === 0 ? [use, ...between] : [use, ...between, { ...result, pending: true }],
  );
const clientTool = fc.record({ type: fc.constant('tool_use'), name, input }).map((use) => [use]);
const single = fc.oneof(textBlock, thinking, redacted).map((block) => [block]);

/** Gives calls their IDs, and results the ID of the call before them. */
function linked(groups: readonly Loose[][]): Loose[] {
  let calls = 0;
  return groups.flatMap((group) => {
    const id = `toolu_${calls++}`;
    return group.map(({ pending, ...block }) => {
      if (pending) return { ...block, tool_use_id: id };
      return 'input' in block ? { id, ...block } : block;
    });
  });
}

const usage = fc.record(
  {
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
    server_tool_use: fc.record({ web_search_requests: fc.nat({ max: 9 }) }),
    service_tier: fc.constantFrom('standard', 'priority'),
  },
  { requiredKeys: ['input_tokens', 'output_tokens'] },
);

const STOP_REASONS = [
  'end_turn',
  'stop_sequence',
  'max_tokens',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'compaction',
  'a_reason_yet_unknown',
] as const;

/** Whole messages with every kind of block, in any order. */
export const anthropicMessage: fc.Arbitrary<Loose> = fc.record({
  id: fc.constant('msg_random'),
  type: fc.constant('message'),
  role: fc.constant('assistant'),
  model: fc.constant('claude-random'),
  content: fc.array(fc.oneof(single, single, clientTool, hosted), { maxLength: 6 }).map(linked),
  stop_reason: fc.constantFrom(...STOP_REASONS),
  stop_sequence: fc.constant(null),
  usage,
});
