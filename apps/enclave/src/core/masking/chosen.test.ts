import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { SessionMasker } from '../session/session-masker.ts';
import { isChosen } from './chosen.ts';
import { mask } from './masker.ts';

test.each([
  'marigold',
  'marigold-planet-2026',
  'Summer-2024-Holiday-7',
  'correct horse battery staple',
  'MyAppKeyProd',
  'office wifi 2026 guest',
])('%s may be chosen by somebody [vault.sandbox.masking.chosen-keys]', (key) => {
  expect(isChosen(Buffer.from(key))).toBe(true);
});

test('what machines make is no guess of anybody’s [vault.sandbox.masking.chosen-keys]', () => {
  for (let i = 0; i < 100; i++)
    for (const key of [
      `sk_live_${randomBytes(32).toString('hex')}`,
      randomBytes(33).toString('base64'),
      randomUUID().replaceAll('-', ''),
      '4929118273645501928374',
    ])
      expect(isChosen(Buffer.from(key))).toBe(false);
});

test('of a key that is a chosen word so many guesses are compared as of a password [vault.sandbox.masking.chosen-keys]', () => {
  const guesses = Array.from({ length: 64 }, (_, i) => `guess${i}`);
  const [right, wrong] = ['marigold', 'sunflower'].map((key) => {
    const masker = new SessionMasker();
    masker.add(Buffer.from(key), 'made');
    masker.write({ texts: [[...guesses, 'marigold', 'sunflower'].join(' ')] });
    return masker.text('marigold, sunflower');
  });
  expect(right).toBe(wrong);
  expect(right).toBe(`${mask}, ${mask}`);
});
