import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeReasoning,
  encodeRedacted,
  encodeThinking,
  reasoningDetail,
} from '../../../../shared/providers/anthropic/reasoning-codec.ts';
import { detailBlocks } from '../../../../shared/providers/anthropic/reasoning-replay.ts';

const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

test('thinking comes back byte for byte from encrypted content and from details', () => {
  fc.assert(
    fc.property(anyText, anyText, (thinking, signature) => {
      const block = { type: 'thinking', thinking, signature } as const;
      expect(decodeReasoning(encodeThinking(block))).toEqual(block);
      expect(detailBlocks([reasoningDetail(block, 0)], 'f')).toEqual([block]);
    }),
  );
});

test('redacted thinking comes back byte for byte', () => {
  fc.assert(
    fc.property(anyText, (data) => {
      const block = { type: 'redacted_thinking', data } as const;
      expect(decodeReasoning(encodeRedacted(data))).toEqual(block);
      expect(detailBlocks([reasoningDetail(block, 0)], 'f')).toEqual([block]);
    }),
  );
});

test('any other text is not ours', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.base64String()), (text) => {
      expect(decodeReasoning(text)).toBeUndefined();
      expect(decodeReasoning(`tgr1.${text}`)).toBeUndefined();
    }),
  );
});
