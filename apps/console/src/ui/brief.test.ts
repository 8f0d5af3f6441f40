import { expect, test } from 'vitest';
import { beginningOf } from './brief.tsx';

test('the beginning of a text has 80 characters as they are shown, also of one that is all unseen [control-plane.console.legible]', () => {
  expect(beginningOf('a'.repeat(80))).toBe('a'.repeat(80));
  expect(beginningOf('a'.repeat(81))).toBe(`${'a'.repeat(79)}…`);
  expect(beginningOf('\u202e'.repeat(80))).toBe(`${'\\u202e'.repeat(14).slice(0, 79)}…`);
  expect(beginningOf('pay \u202e001')).toBe('pay \\u202e001');
});
