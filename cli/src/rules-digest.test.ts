import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { builtRules, rulesDigest } from '../bin/rules-digest.js';

/** The digest, were the text of one source another. */
const digestWith = (changed: string, change: (text: string) => string) =>
  rulesDigest((path) => {
    const text = readFileSync(path, 'utf8');
    return path.endsWith(changed) ? change(text) : text;
  });

test('the digest of the rules is of the code alone: the same again, and without its comments and types [vault.review.rules-digest]', async () => {
  const digest = await rulesDigest();
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await rulesDigest()).toBe(digest);
  const commented = (text: string) =>
    `// A comment.\n${text}\nexport type Unused = { readonly a: string };\n`;
  expect(await digestWith('rules/place.ts', commented)).toBe(digest);
});

test('what reads requests and says how to write them is no source of the digest, nor is any schema [vault.review.rules-digest]', async () => {
  const { sources, text } = await builtRules();
  const protocol = sources.filter((path) => path.includes('packages/protocol/'));
  const names = protocol.map((path) => basename(path));
  expect(names.sort()).toEqual(['field-roles.ts', 'result.ts', 'url-scope.ts', 'url.ts', 'verdict.ts']);
  for (const path of protocol) expect(readFileSync(path, 'utf8')).not.toMatch(/from 'zod'/);
  expect(text).not.toContain('must be an http or https origin');
});

test('no code that makes a verdict of facts changes without the digest of the rules [vault.review.rules-digest]', async () => {
  const digest = await rulesDigest();
  const { sources } = await builtRules();
  const names = sources.map((path) => basename(path));
  expect(names).toEqual(expect.arrayContaining(['review.ts', 'judge.ts', 'lexicon.ts', 'url-scope.ts']));
  const digests = await Promise.all(
    sources.map((path) => digestWith(path, (text) => `${text}\nconsole.log('changed');\n`)),
  );
  expect(new Set([...digests, digest]).size).toBe(sources.length + 1);
});

test.each([
  ['rules/place.ts', "verdict: 'ask'", "verdict: 'deny'"],
  ['rules/place.ts', 'A person is asked once', 'Nobody is asked'],
  ['rules/scope.ts', 'const longData = 200', 'const longData = 201'],
  ['lexicon.ts', "unnamed: 'deny'", "unnamed: 'ask'"],
  ['request/judge.ts', "facts.purpose === 'write'", "facts.purpose === 'read'"],
])('%s with another word has another digest [vault.review.rules-digest]', async (file, from, to) => {
  const changed = digestWith(file, (text) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  });
  expect(await changed).not.toBe(await rulesDigest());
});
