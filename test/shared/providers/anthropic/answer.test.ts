import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../shared/api/error.ts';
import { responsesEcho } from '../../../../shared/api/responses-echo.ts';
import {
  readChatAnswer,
  readResponsesAnswer,
} from '../../../../shared/providers/anthropic/answer.ts';
import { decodeReasoning } from '../../../../shared/providers/anthropic/reasoning-codec.ts';
import { answerContext } from '../../../support/anthropic-stream.ts';

const ECHO = responsesEcho({ model: 'claude', input: 'hi' });
const ROUTES = [
  ['chat', (body: unknown) => readChatAnswer(body, answerContext())],
  ['responses', (body: unknown) => readResponsesAnswer(body, answerContext(), ECHO)],
] as const;

describe.each(ROUTES)('a whole body on the %s route', (_route, read) => {
  it.each([[undefined], [null], [''], [[]], [{}], [{ type: 'message', content: 'text' }]])(
    'that is no message is a failure of the provider, not an empty answer: %j',
    (body) => {
      expect(() => read(body)).toThrow(GatewayError);
      expect(() => read(body)).toThrow(/provider/);
    },
  );

  it('that is an error is answered as one', () => {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } };
    expect(() => read(error)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('may hold blocks that are no objects, or of kinds yet unknown', () => {
    const content = [null, 7, { type: 'hologram', data: 1 }, { type: 'text', text: 'seen' }];
    const { body, report } = read({ content, stop_reason: 'end_turn' });
    expect(JSON.stringify(body)).toContain('seen');
    expect(report).toMatchObject({ complete: true, producedOutput: true, usage: undefined });
    expect(report.relayedOutputTokens).toBeGreaterThan(0);
  });
});

describe('reasoning of the responses route', () => {
  it('carries what the next turn hands back byte for byte', () => {
    const blocks = [
      { type: 'thinking', thinking: 'Zwölf \ud83d lone surrogate', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
    ];
    const { body } = readResponsesAnswer(
      { content: blocks, stop_reason: 'end_turn' },
      answerContext(),
      ECHO,
    );
    const items = body.output as { encrypted_content: string }[];
    expect(items.map((item) => decodeReasoning(item.encrypted_content))).toEqual(blocks);
  });

  it('is not sealed where the provider gave no signature', () => {
    const content = [{ type: 'thinking', thinking: 'cut of', signature: '' }];
    const { body } = readResponsesAnswer(
      { content, stop_reason: 'max_tokens' },
      answerContext(),
      ECHO,
    );
    expect(body.output).toMatchObject([{ summary: [{ text: 'cut of' }], encrypted_content: null }]);
  });
});
