import { posix, win32 } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowedUrls, formatUrlPattern } from './allowed-urls.ts';
import {
  allowsConnection,
  allowsUrl,
  overlap,
  parseAllowedUrls,
  parseUrlPattern,
  withAliases,
} from './url-scope.ts';

const patterns = (...texts: string[]) => parseAllowedUrls(allowedUrls.parse(texts));

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['HTTPS://Shop.Example:443/', 'https://shop.example'],
  ['https://shop.example/*', 'https://shop.example'],
  ['https://shop.example/account/*', 'https://shop.example/account/*'],
  ['https://*.shop.example/a/b/*', 'https://*.shop.example/a/b/*'],
  ['http://127.0.0.1:4022', 'http://127.0.0.1:4022'],
  ['http://[::1]:80/x/*', 'http://[::1]/x/*'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s is a pattern, written %s', (text, canonical) => {
  expect(allowedUrls.parse([text])).toEqual([canonical]);
});

test.each([
  ['shop.example', /must be an http or https origin/],
  ['ftp://shop.example', /must be an http or https origin/],
  ['javascript://shop.example', /must be an http or https origin/],
  ['https://', /must be an http or https origin/],
  ['https://shop.example?x=1', /must be an http or https origin/],
  ['https://shop.example/a/*#x', /must be an http or https origin/],
  [' https://shop.example', /must be an http or https origin/],
  ['https:\\\\shop.example', /must be an http or https origin/],
  ['https://user@shop.example', /user name/],
  ['https://shop.*.example', /leftmost label/],
  ['https://*shop.example', /leftmost label/],
  ['https://*', /leftmost label/],
  ['https://*.*.example', /leftmost label/],
  ['https://*.com', /different owners/],
  ['https://*.co.uk', /different owners/],
  ['https://*.0.0.1', /exist|normalized/],
  ['https://shop.example:99999', /port/],
  ['https://shop.example.', /normalized/],
  ['https://shop%2eexample', /normalized/],
  ['http://0x7f.1', /normalized/],
  ['https://shop.example/account', /ends in \/\*/],
  ['https://shop.example/a*', /ends in/],
  ['https://shop.example/*/b/*', /only at the end/],
  ['https://shop.example/a/../*', /normalized/],
  ['https://shop.example/%2e%2e/*', /normalized/],
  ['https://shop.example/a%2fb/*', /normalized/],
  ['https://shop.example//a/*', /normalized/],
])('%s is refused, and the message says how to write it', (text, message) => {
  const parsed = allowedUrls.safeParse([text]);
  expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
});

test.each([
  ['https://shop.example', 'https://shop.example/any?x=1#y'],
  ['https://shop.example', 'https://SHOP.example:443'],
  ['https://shop.example', 'wss://shop.example/socket'],
  ['https://shop.example/account/*', 'https://shop.example/account/'],
  ['https://shop.example/account/*', 'https://shop.example/x/../account/orders%20old'],
  ['https://shop.example/account/*', 'https://shop.example/account/a%2Fb'],
  ['https://*.shop.example', 'https://eu.shop.example/'],
  ['https://bücher.example', 'https://BÜCHER.example/'],
  ['http://127.0.0.1:3000', 'http://0x7f.1:3000/'],
  ['http://[::1]:3000', 'http://[0:0:0:0:0:0:0:1]:3000/'],
])('%s covers %s', (pattern, url) => {
  expect(allowsUrl(patterns(pattern), url)).toBe(true);
});

test.each([
  ['https://shop.example', 'http://shop.example/'],
  ['https://shop.example', 'ws://shop.example/'],
  ['https://shop.example', 'https://shop.example:8443/'],
  ['https://shop.example', 'https://shop.example./'],
  ['https://shop.example', 'https://shop.example.evil.example/'],
  ['https://shop.example', 'https://evilshop.example/'],
  ['https://shop.example', 'https://eu.shop.example/'],
  ['https://shop.example', 'https://shop.example@evil.example/'],
  ['https://shop.example', 'https://user:pass@shop.example/'],
  ['https://shop.example', 'https://@evil.example\\@shop.example/'],
  ['https://shop.example', 'https:\\\\evil.example/shop.example'],
  ['https://shop.example', 'https://ѕhop.example/'],
  ['https://shop.example', 'blob:https://shop.example/4f1e'],
  ['https://shop.example', 'data:text/html,https://shop.example/'],
  ['https://shop.example', 'javascript:location="https://shop.example/"'],
  ['https://shop.example', 'about:blank'],
  ['https://shop.example', 'file:///https://shop.example/'],
  ['https://shop.example', '/relative'],
  ['https://*.shop.example', 'https://shop.example/'],
  ['https://*.shop.example', 'https://a.b.shop.example/'],
  ['https://*.shop.example', 'https://.shop.example/'],
  ['http://[::1]:3000', 'http://[::2]:3000/'],
])('%s does not cover %s', (pattern, url) => {
  expect(allowsUrl(patterns(pattern), url)).toBe(false);
});

test.each([
  '/account',
  '/accounts/',
  '/Account/',
  '/account/../admin',
  '/account/%2e%2e/admin',
  '/account/..%2fadmin',
  '/account/%2e%2e%2fadmin',
  '/account/%252e%252e%252fadmin',
  '/account/..%5cadmin',
  '/account\\..\\admin',
  '/account//%2e%2e%2fadmin',
  '/account/..;/admin',
  '/account/..;x=1%2fadmin',
  '/account/%c0%ae%c0%ae%c0%afadmin',
  '/account/x%00/../../admin',
  `/account/%${'25'.repeat(20)}2e`,
])('nothing gets out of the path prefix by %s', (path) => {
  expect(allowsUrl(patterns('https://shop.example/account/*'), `https://shop.example${path}`)).toBe(false);
});

test('a proxy, which sees host and port alone, connects only to those of a pattern', () => {
  const scope = patterns('https://shop.example/account/*', 'http://*.lab.example:8080');
  expect(allowsConnection(scope, 'SHOP.example', 443)).toBe(true);
  expect(allowsConnection(scope, 'a.lab.example', 8080)).toBe(true);
  expect(allowsConnection(scope, 'shop.example', 80)).toBe(false);
  expect(allowsConnection(scope, 'lab.example', 8080)).toBe(false);
});

const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,6}[a-z])?$/);
const host = fc.tuple(label, label).map(([a, b]) => `${a}.${b}.example`);
const segment = fc.stringMatching(/^[a-zA-Z0-9_-]{1,6}$/);
const prefix = fc.array(segment, { maxLength: 3 }).map((names) => ['', ...names, ''].join('/'));

test('a pattern is read back as itself, and covers what stands below it and nothing beside it', () => {
  fc.assert(
    fc.property(host, prefix, segment, fc.boolean(), (name, path, below, wildcard) => {
      const text = `https://${wildcard ? '*.' : ''}${name}${path}*`;
      const pattern = parseUrlPattern(text);
      if (!pattern.ok) throw new Error(pattern.error);
      expect(parseUrlPattern(formatUrlPattern(pattern.value))).toEqual(pattern);
      const at = `${wildcard ? 'w.' : ''}${name}`;
      expect(allowsUrl([pattern.value], `https://${at}${path}${below}`)).toBe(true);
      expect(allowsUrl([pattern.value], `https://x${at}${path}${below}`)).toBe(wildcard);
      expect(allowsUrl([pattern.value], `https://${at}:444${path}${below}`)).toBe(false);
      const beside = `https://${at}${path.slice(0, -1)}x/${below}`;
      expect(allowsUrl([pattern.value], beside)).toBe(false);
    }),
  );
});

test('whatever path is asked for, each way of decoding it ends below the prefix or it is not covered [vault.sandbox.allowed-urls.spellings]', () => {
  const scope = patterns('https://shop.example/a/b/*');
  const piece = fc.constantFrom(
    '/',
    '.',
    '..',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '%25',
    '2e',
    '2f',
    ';',
    '\\',
    'a',
    'b',
    'x',
  );
  const decodeOnce = (text: string) =>
    text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const plain = (path: string) => path.replaceAll('?', '').replaceAll('#', '');
  const withoutParameters = (path: string) => path.replace(/;[^/\\]*/g, '');
  const servers: readonly ((path: string) => string)[] = [
    (path) => new URL(`https://shop.example${plain(path)}`).pathname,
    (path) => new URL(`https://shop.example${withoutParameters(plain(path))}`).pathname,
    (path) => posix.normalize(path),
    (path) => posix.normalize(withoutParameters(path)),
    (path) => win32.normalize(path).replaceAll('\\', '/'),
  ];
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const url = `https://shop.example/a/b/${pieces.join('')}`;
      if (!allowsUrl(scope, url)) return;
      let path = new URL(url).pathname;
      for (let layer = 0; layer < 5; layer++) {
        for (const server of servers) expect(`${server(path)}/`).toMatch(/^\/a\/b\//);
        path = decodeOnce(path);
      }
    }),
    {
      numRuns: 2000,
      examples: [
        // An empty name between slashes is one that `..` takes away, or none at all.
        [['..', '%5c', '/', 'b', '/']],
        [['/', '..', '/', '..', '/', 'b', '/']],
        // `.;` is a name, or no name.
        [['..', '%5c', '%2e', ';', '/', 'b', '/']],
        // `%2e` is a dot where `%2f` is not yet a slash.
        [['%2e', '%2e', ';', '/', 'b', '%2f']],
        // A backslash is part of a name, or stands between two.
        [['x', '%5c', 'x', '/', '%25', '2e', '%25', '2e', '/', '%25', '2e', '%25', '2e', '/', 'x']],
      ],
    },
  );
});

test('no text, however odd, makes the judgement fail or is covered by an origin that it does not have', () => {
  const scope = patterns('https://shop.example');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
      const origin = allowsUrl(scope, text) ? new URL(text).origin : 'https://shop.example';
      expect(origin).toBe('https://shop.example');
    }),
  );
});

test.each([
  ['https://shop.example', 'https://shop.example/account/*', true],
  ['https://shop.example/account/*', 'https://shop.example/account/orders/*', true],
  ['https://*.shop.example', 'https://www.shop.example', true],
  ['https://*.shop.example', 'https://*.shop.example/a/*', true],
  ['https://shop.example/account/*', 'https://shop.example/admin/*', false],
  ['https://*.shop.example', 'https://shop.example', false],
  ['https://*.shop.example', 'https://*.example.shop', false],
  ['https://shop.example', 'http://shop.example', false],
  ['https://shop.example', 'https://shop.example:8443', false],
])('%s and %s have URLs in common: %s', (one, other, common) => {
  expect(overlap(patterns(one), patterns(other))).toBe(common);
  expect(overlap(patterns(other), patterns(one))).toBe(common);
});

test('two patterns that cover one URL have URLs in common, whichever comes first', () => {
  const origin = fc.constantFrom(
    'https://shop.example',
    'https://*.shop.example',
    'https://a.shop.example',
    'https://*.a.shop.example',
    'http://shop.example',
    'https://shop.example:8443',
  );
  const pattern = fc
    .tuple(origin, fc.constantFrom('', '/*', '/a/*', '/a/b/*', '/b/*'))
    .map(([at, path]) => patterns(at + path));
  const url = fc
    .tuple(fc.constantFrom('', 'a.', 'b.a.', 'c.'), fc.constantFrom('/', '/a/', '/a/b/c', '/b/x'))
    .map(([host, path]) => `https://${host}shop.example${path}`);
  fc.assert(
    fc.property(pattern, pattern, fc.array(url, { minLength: 20, maxLength: 40 }), (one, other, urls) => {
      const both = urls.some((each) => allowsUrl(one, each) && allowsUrl(other, each));
      expect(overlap(one, other)).toBe(overlap(other, one));
      expect(overlap(one, other) || !both).toBe(true);
      expect(overlap(one, one)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a site’s other names are those with and without www, by either scheme, and those of the machine itself', () => {
  const named = (pattern: string, url: string) => allowsUrl(withAliases(parseAllowedUrls([pattern])), url);
  expect(named('https://shop.example', 'http://www.shop.example/a')).toBe(true);
  expect(named('http://www.shop.example', 'https://shop.example/a')).toBe(true);
  expect(named('http://127.0.0.1:8080', 'http://localhost:8080/')).toBe(true);
  expect(named('http://localhost:8080', 'http://[::1]:8080/')).toBe(true);
  expect(named('http://localhost:8080', 'http://localhost:8081/')).toBe(false);
  expect(named('https://shop.example', 'https://mail.shop.example/')).toBe(false);
  expect(named('http://10.0.0.1', 'http://www.10.0.0.1.example/')).toBe(false);
});
