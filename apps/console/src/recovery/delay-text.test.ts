import { expect, test } from 'vitest';
import { delayText } from './delay-text.ts';

test.each([
  [3_600, '1 hour'],
  [48 * 3_600, '48 hours'],
  [7 * 86_400, '7 days'],
  [50 * 3_600, '50 hours'],
])('a delay of %d s reads %s', (seconds, text) => {
  expect(delayText(seconds)).toBe(text);
});
