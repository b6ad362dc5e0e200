import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../../../shared/providers/anthropic/tool-arguments.ts';

/** JSON text of an object whose keys come in any order, integer-like ones among them. */
const objectText = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.json({ maxDepth: 0 }),
    fc.constantFrom('12345678901234567890', '-0', '1.0', '1e400', '0.1', '"\\u0000\\\\"'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(
      fc.tuple(
        fc.oneof(fc.string(), fc.nat(30).map(String), fc.constant('__proto__')),
        tie('value'),
      ),
      { selector: ([key]) => key, maxLength: 4 },
    )
    .map(
      (entries) =>
        `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`,
    ),
})).object;

describe('arguments of a tool call', () => {
  test('come out byte for byte: key order, big numbers, decimals, escapes', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        const normal = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
          JSON.stringify(JSON.parse(string)),
        );
        expect(JSON.stringify(parseArguments(text, 'f'))).toBe(normal);
      }),
    );
  });

  test.each(['', ' \n', '{}', ' { } '])('%j means no arguments', (text) => {
    expect(JSON.stringify(parseArguments(text, 'f'))).toBe('{}');
  });

  test.each([
    '{',
    '[]',
    'null',
    '"x"',
    '1',
    '{"a":1}{',
    "{'a':1}",
    `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  ])('refuses %j', (text) => {
    expect(() => parseArguments(text, 'the.field')).toThrow(/^the\.field /);
  });

  test('megabytes of one string need no deep stack', () => {
    const text = JSON.stringify({ a: 'x"y\\'.repeat(1_000_000) });
    expect(JSON.stringify(parseArguments(text, 'f'))).toBe(text);
  });
});
