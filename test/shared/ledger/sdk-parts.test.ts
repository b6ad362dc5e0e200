import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sha256 } from '../../../shared/ledger/sdk-parts.ts';

const FORMS = [
  (bytes: Uint8Array<ArrayBuffer>) => bytes,
  (bytes: Uint8Array<ArrayBuffer>) => bytes.slice().buffer,
  (bytes: Uint8Array<ArrayBuffer>) =>
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
];
const bytes = fc
  .tuple(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 20 }))
  // A part of a larger buffer, as Node.js hands them out.
  .map(([all, from]) => new Uint8Array(all).subarray(Math.min(from, all.length)));
const source = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => ({ given: text, meant: Buffer.from(text) })),
  fc
    .tuple(bytes, fc.constantFrom(...FORMS))
    .map(([meant, form]) => ({ given: form(meant), meant: Buffer.from(meant) })),
);

test('digests and HMACs are those of Node.js, whichever secrets come in turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(source, { minLength: 1, maxLength: 3 }),
      fc.array(source),
      async (secrets, parts) => {
        // Each secret comes back after the others: what was prepared for one serves no other.
        for (const secret of [undefined, ...secrets, ...secrets]) {
          const own = new Sha256(secret?.given);
          const reference = secret ? createHmac('sha256', secret.meant) : createHash('sha256');
          for (const { given, meant } of parts) {
            own.update(given);
            reference.update(meant);
          }
          expect(Buffer.from(await own.digest())).toEqual(reference.digest());
        }
      },
    ),
  );
});
