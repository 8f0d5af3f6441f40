import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { expect, test } from 'vitest';
import { readLoginMessage, whyNotAcceptable } from './siwe.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const rules = { origins: ['https://pay.example.com', 'http://localhost:4021'], chainId: 8453 };
const good: SiweMessage = {
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  domain: 'pay.example.com',
  uri: 'https://pay.example.com/login',
  version: '1',
  chainId: 8453,
  nonce: '0123456789abcdef',
  issuedAt: now,
};
const textOf = (change: Partial<SiweMessage> = {}) => createSiweMessage({ ...good, ...change });
const judge = (change: Partial<SiweMessage>) => {
  const message = readLoginMessage(textOf(change));
  return message === null ? 'unreadable' : whyNotAcceptable(message, rules, now);
};

test.each<[string, Partial<SiweMessage>]>([
  ['the least there can be', {}],
  ['a statement', { statement: 'Log in to the dashboard.' }],
  ['another of our origins', { domain: 'localhost:4021', uri: 'http://localhost:4021' }],
  ['our scheme before the domain', { scheme: 'https' }],
  ['issued just under 10 minutes ago', { issuedAt: at(-10) }],
  ['a wallet whose clock is a little ahead', { issuedAt: at(1) }],
  ['an expiry within 24 hours', { expirationTime: at(24 * 60) }],
  ['a begin that has passed', { notBefore: now }],
  ['resources and a request id', { resources: ['https://pay.example.com/a'], requestId: 'r1' }],
])('accepted: %s', (_, change) => {
  expect(judge(change)).toBeNull();
});

test.each<[string, Partial<SiweMessage>, RegExp]>([
  ['a foreign domain', { domain: 'evil.example.com' }, /another site/],
  ['a foreign URI', { uri: 'https://evil.example.com/login' }, /another site/],
  ['our domain under another port', { domain: 'pay.example.com:444' }, /another site/],
  ['our URI without encryption', { uri: 'http://pay.example.com' }, /another site/],
  ['a scheme that is not ours', { scheme: 'http' }, /another site/],
  ['a URI that is none of the web', { uri: 'urn:example' }, /another site/],
  ['a foreign chain', { chainId: 1 }, /chain 8453/],
  ['issued more than 10 minutes ago', { issuedAt: at(-10.01) }, /older than 10 minutes/],
  ['issued in the future', { issuedAt: at(2) }, /from the future/],
  ['not valid yet', { notBefore: at(1) }, /not valid yet/],
  ['expired at this very moment', { expirationTime: now }, /has expired/],
  ['an expiry more than 24 hours ahead', { expirationTime: at(24 * 60 + 1) }, /24 hours/],
])('refused: %s', (_, change, why) => {
  expect(judge(change)).toMatch(why);
});

test.each<[string, (text: string) => string]>([
  ['text after it', (text) => `${text}\nResources:\n- https://pay.example.com\nand more`],
  ['a line before it', (text) => `Hello\n${text}`],
  ['a trailing newline', (text) => `${text}\n`],
  ['a wallet in lower case', (text) => text.replace(good.address, good.address.toLowerCase())],
  ['a time without milliseconds', (text) => text.replace('00.000Z', '00Z')],
  ['a time in another zone', (text) => text.replace('12:00:00.000Z', '13:00:00.000+01:00')],
  ['a time that does not exist', (text) => text.replace('2026-11-21', '2026-13-21')],
  ['another version', (text) => text.replace('Version: 1', 'Version: 2')],
  ['Windows line ends', (text) => text.replaceAll('\n', '\r\n')],
  ['a chain id with a zero in front', (text) => text.replace('Chain ID: 8453', 'Chain ID: 08453')],
  ['a nonce that is too short', (text) => text.replace(good.nonce, '0123456')],
  ['nothing but words', () => 'let me in'],
  ['nothing', () => ''],
])('not canonical: %s', (_, change) => {
  expect(readLoginMessage(change(textOf()))).toBeNull();
});
