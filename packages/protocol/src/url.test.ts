import { expect, test } from 'vitest';
import { isUrl, parseUrl } from './url.ts';

/** Enough calls that the engine compiles what is called: `URL.canParse` says false from some 6,500 on. */
const hot = 20_000;

test('a URL with a letter that is no ASCII stays one, however often it is asked for', () => {
  const answers = Array.from({ length: hot }, () => isUrl('https://bücher.example/straße?ü=é'));
  expect(answers.indexOf(false)).toBe(-1);
  expect(parseUrl('https://BÜCHER.example')?.host).toBe('xn--bcher-kva.example');
});

test('what is none is null, with and without a base', () => {
  expect([parseUrl('/x'), parseUrl('http://[::1'), parseUrl('/x', 'about:blank')]).toEqual([
    null,
    null,
    null,
  ]);
  expect(parseUrl('/ü', 'https://a.example/b')?.href).toBe('https://a.example/%C3%BC');
});
