import { marked } from './spec-chat-request-fixtures.ts';
import { B, type Claims } from './spec-gateway.ts';

const names = ['max_tokens', 'max_completion_tokens'] as const;
const warm = { model: B, messages: marked(1) };

export const CAPS: Claims = {
  accepted: [
    ...names.flatMap((name) => [
      {
        claim: `2.4 ${name}: family A`,
        fields: { [name]: 77 },
        sent: { max_completion_tokens: 77 },
        without: ['max_tokens'],
      },
      {
        claim: `2.4 ${name}: family B`,
        fields: { model: B, [name]: 77 },
        sent: { max_tokens: 77 },
        without: ['max_completion_tokens'],
      },
      {
        claim: `2.4 ${name}: zero warms a cache on family B`,
        fields: { ...warm, [name]: 0 },
        sent: { max_tokens: 0 },
      },
    ]),
    {
      claim: '2.4 max_tokens, max_completion_tokens: both, alike',
      fields: { max_tokens: 9, max_completion_tokens: 9 },
      sent: { max_completion_tokens: 9 },
    },
  ],
  refused: [
    ...names.flatMap((name) => [
      {
        claim: `2.4 ${name}: below 0`,
        fields: { [name]: -1 },
        names: new RegExp(`^${name} must be at least 0`),
      },
      {
        claim: `2.4 ${name}: must be an integer`,
        fields: { [name]: 1.5 },
        names: new RegExp(`^${name}`),
      },
      {
        claim: `2.4 ${name}: above the model's maximum`,
        fields: { [name]: 128_001 },
        names: new RegExp(`^${name} is 128001`),
      },
      {
        claim: `2.4 ${name}: zero on family A`,
        fields: { [name]: 0 },
        names: new RegExp(`^${name} may be 0 only`),
      },
      {
        claim: `2.4 ${name}: zero without a cache marker`,
        fields: { model: B, [name]: 0 },
        names: new RegExp(`^${name} may be 0 only.*cache_control`),
      },
      {
        claim: `2.4 ${name}: zero while streaming is no prewarm`,
        fields: { ...warm, stream: true, [name]: 0 },
        names: new RegExp(`^${name} may be 0 only.*stream`),
      },
      {
        claim: `2.4 ${name}: zero with reasoning is no prewarm`,
        fields: { ...warm, reasoning_effort: 'low', [name]: 0 },
        names: new RegExp(`^${name} may be 0 only.*reasoning`),
      },
    ]),
    {
      claim: '2.4 max_tokens, max_completion_tokens: different values',
      fields: { max_tokens: 9, max_completion_tokens: 8 },
      names: /max_tokens and max_completion_tokens/,
    },
  ],
};
