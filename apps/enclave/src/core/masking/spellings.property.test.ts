import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const masked = (secret: string, shown: string): string =>
  newMasker([Buffer.from(secret)]).text(`a: ${shown} b`);

test('whatever signs stand between its letters, a secret of eight or more is masked [vault.sandbox.masking.signs]', () => {
  // Neither begins as what stands before it ends, nor ends as what follows: with that letter it would be there twice.
  const letters = fc.stringMatching(/^[b-z][a-z]{3}[a-zA-Z0-9]{3,19}[ac-zAC-Z0-9]$/);
  const signs = fc.array(fc.stringMatching(/^[!-/:-@[-`{-~ →│«·]{0,3}$/), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(letters, signs, (one, some) => {
      const shown = Array.from(one, (letter, i) => (i === 0 ? letter : `${some[i] ?? ''}${letter}`)).join('');
      expect(masked(one, shown)).toBe(`a: ${mask} b`);
      expect(masked(shown, one)).toBe(`a: ${mask} b`);
    }),
    { numRuns: 200 },
  );
});
