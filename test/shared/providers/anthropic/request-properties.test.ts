import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../../shared/api/error.ts';
import type { JsonObject } from '../../../../shared/api/json.ts';
import { chat, NEWEST, OLDEST, responses } from './request-fixtures.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}
interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

const words = fc.constantFrom('', ' ', 'a', 'b \n', 'c');
const texts = fc.oneof(
  words,
  fc.array(
    words.map((text) => ({ type: 'text', text })),
    { maxLength: 3 },
  ),
);
const spoken = fc.record({ role: fc.constantFrom('user', 'system', 'developer'), content: texts });

/** An assistant turn with calls and their results, the results in any order, texts among them. */
const round = fc
  .tuple(fc.nat(3), texts, fc.array(spoken, { maxLength: 2 }), fc.infiniteStream(fc.nat()))
  .map(([calls, content, between, order]) => {
    const ids = Array.from({ length: calls }, (_, index) => `call_${index}`);
    const said = ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: '' },
    }));
    const results = ids.map((id) => ({ role: 'tool', tool_call_id: id, content }));
    const mixed = [...results, ...between]
      .map((message) => ({ message, rank: order.next().value }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ message }) => message);
    return [{ role: 'assistant', content, ...(calls > 0 && { tool_calls: said }) }, ...mixed];
  });
const assistantText = fc.record({ role: fc.constant('assistant'), content: texts });
const conversation = fc
  .array(
    fc.oneof(
      spoken.map((message) => [message]),
      round,
      assistantText.map((one) => [one]),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.flat());
const deployment = fc.constantFrom(NEWEST, OLDEST);

/** The translation, or undefined where the conversation is refused. */
function attempt<T>(translate: () => T): T | undefined {
  try {
    return translate();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return undefined;
  }
}

function blocksOf(messages: readonly Message[]): Block[] {
  return messages.flatMap(({ content }) => [...content]);
}

/** What the provider refuses whole requests for. */
function checkLegal(messages: readonly Message[]): void {
  messages.forEach(({ role, content }, index) => {
    const before = messages[index - 1];
    const after = messages[index + 1];
    expect(content.length).toBeGreaterThan(0);
    expect(role).not.toBe(before?.role);
    if (role === 'system') {
      expect(before?.role).toBe('user');
      expect([undefined, 'assistant']).toContain(after?.role);
    }
    const calls = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    if (calls.length > 0) {
      const results = (after?.content ?? []).slice(0, calls.length);
      expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(calls);
      expect(after?.role).toBe('user');
    }
  });
  const blocks = blocksOf(messages);
  const textless = blocks.filter(({ type, text }) => type === 'text' && text?.trim() === '');
  expect(textless).toEqual([]);
  const last = messages.at(-1)?.content.at(-1)?.text ?? '';
  if (messages.at(-1)?.role === 'assistant') expect(last).toBe(last.trimEnd());
  const count = (kind: string) => blocks.filter(({ type }) => type === kind).length;
  expect(count('tool_result')).toBe(count('tool_use'));
}

test('any conversation is legal for the provider, or refused by us; no text is lost', () => {
  let sent = 0;
  fc.assert(
    fc.property(conversation, deployment, (messages, target) => {
      const body = attempt(() => chat({ messages }, target).body);
      if (!body) return;
      sent += 1;
      // The cast: the body is our own translation, whose shape is what this test is about.
      const { messages: out, system = [] } = body as unknown as {
        messages: Message[];
        system?: Block[];
      };
      checkLegal(out);
      const visible = (text: string) => text.replaceAll(/\s/g, '');
      const written = JSON.stringify([system, out]).match(/"text":"(?:[^"\\]|\\.)*"/g) ?? [];
      const asked = JSON.stringify(messages).match(/"(?:text|content)":"(?:[^"\\]|\\.)*"/g) ?? [];
      const letters = (list: readonly string[]) =>
        list
          .map((pair) =>
            visible(String(JSON.parse(`{${pair}}`).text ?? JSON.parse(`{${pair}}`).content)),
          )
          .filter((text) => text !== '')
          .sort();
      expect(letters(written)).toEqual(letters(asked));
    }),
  );
  expect(sent).toBeGreaterThan(10);
});

test('the same request gives the same bytes', () => {
  fc.assert(
    fc.property(conversation, deployment, (messages, target) => {
      const bytes = () => attempt(() => JSON.stringify(chat({ messages }, target)));
      expect(bytes()).toBe(bytes());
    }),
  );
});

test('both routes send the same conversation', () => {
  const items = (message: JsonObject): JsonObject[] => {
    if (message.role === 'tool') {
      const { tool_call_id: call_id, content } = message;
      return [{ type: 'function_call_output', call_id, output: content }];
    }
    const { role, content, tool_calls } = message;
    const calls = Array.isArray(tool_calls) ? tool_calls : [];
    const said = calls.map((call) => ({
      type: 'function_call',
      // The cast: the calls are those of this file's own arbitrary.
      call_id: (call as { id: string }).id,
      name: 'f',
      arguments: '',
    }));
    return [{ role, content }, ...said];
  };
  fc.assert(
    fc.property(conversation, deployment, (messages, target) => {
      const input = messages.flatMap((message) => items({ ...message }));
      const first = attempt(() => chat({ messages }, target).body);
      const second = attempt(() => responses({ input }, target).body);
      expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    }),
  );
});
