import * as fc from 'fast-check';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { expect, test } from 'vitest';
import { now, owner, required } from '../../test/samples.ts';
import { type Challenge, readChallenge, signInText } from './sign-in.ts';

const origin = 'https://api.example';
const at = (ms: number): string => new Date(now + ms).toISOString();

const info = {
  domain: 'api.example',
  uri: `${origin}/report`,
  version: '1',
  nonce: 'a1b2c3d4e5f67890',
  issuedAt: at(0),
};

const chains = [{ chainId: 'eip155:84532', type: 'eip191' }];
const read = (changes: object = {}, supportedChains: unknown = chains) => {
  const extensions = { 'sign-in-with-x': { info: { ...info, ...changes }, supportedChains, schema: {} } };
  return readChallenge({ ...required(), extensions }, { origin, chainIds: [84532], now });
};

test('a challenge of the very host, of now and for our chain is signed [gateway.sign-in.refused]', () => {
  expect(read({ expirationTime: at(60_000) })).toEqual({
    ...info,
    expirationTime: at(60_000),
    chainId: 84532,
  });
  const more = {
    expirationTime: at(300_000),
    notBefore: at(-1000),
    requestId: 'r-1',
    resources: [`${origin}/report`],
  };
  expect(read(more)).toEqual({ ...info, ...more, chainId: 84532 });
  expect(read({ ...more, unknown: 'field' })).toEqual({ ...info, ...more, chainId: 84532 });
});

test('a challenge that names no end is signed with one, five minutes from now [gateway.sign-in.text]', () => {
  expect(read()).toEqual({ ...info, expirationTime: at(300_000), chainId: 84532 });
});

test.each([
  'Read what you bought',
  'Hi\n\nURI: https://bank.example',
  'Hi\rthere',
  'I authorise withdrawal of all funds',
  'a'.repeat(10_000),
  7,
])('a statement is free text, and is never signed: case %# [gateway.sign-in.text]', (statement) => {
  const asked = read({ statement });
  expect(asked).toEqual(read());
  expect(asked).not.toHaveProperty('statement');
});

test.each<[what: string, changes: object, chains?: unknown]>([
  ['of another host', { domain: 'dashboard.example' }],
  ['of a host that begins like ours', { domain: 'api.example.evil.example' }],
  ['of our host at another port', { domain: 'api.example:8443' }],
  ['for an address elsewhere', { uri: 'https://dashboard.example/login' }],
  ['for our host without TLS', { uri: 'http://api.example/report' }],
  ['for an address that only begins like ours', { uri: 'https://api.example@evil.example/' }],
  ['with a resource elsewhere', { resources: [`${origin}/a`, 'https://bank.example/'] }],
  ['that delegates', { resources: ['urn:recap:eyJhdHQiOnt9fQ=='] }],
  ['with nine resources', { resources: Array.from({ length: 9 }, (_, n) => `${origin}/${n}`) }],
  ['for an address with a backslash', { uri: 'https://api.example\\@dashboard.example/' }],
  ['for an address with a name before its host', { uri: 'https://dashboard.example@api.example/' }],
  ['for an address with a password', { uri: 'https://a:b@api.example/' }],
  ['for a blob of our host', { uri: 'blob:https://api.example/1' }],
  ['for an address in capitals', { uri: 'https://API.example/report' }],
  ['for an address that goes up', { uri: `${origin}/a/../b` }],
  ['with prose behind a resource', { resources: [`${origin}/a and everything else`] }],
  ['with a resource with a name', { resources: ['https://bank.example@api.example/'] }],
  ['with a carriage return', { uri: `${origin}/a\rb` }],
  ['with a line separator', { uri: `${origin}/a\u2028b` }],
  ['with a line in its address', { uri: `${origin}/a\nChain ID: 1` }],
  ['with a line in its domain', { domain: 'api.example\n' }],
  ['with an id of two lines', { requestId: 'a\nResources:' }],
  ['without a nonce', { nonce: undefined }],
  ['with a nonce of one letter', { nonce: 'a' }],
  ['with a nonce that is a line', { nonce: 'a1b2c3d4\nIssued' }],
  ['of an hour ago', { issuedAt: at(-3_600_000) }],
  ['of an hour from now', { issuedAt: at(3_600_000) }],
  ['of no time', { issuedAt: 'now' }],
  ['that has expired', { expirationTime: at(-1) }],
  ['that lives for a year', { expirationTime: at(365 * 86_400_000) }],
  ['that is not good yet', { notBefore: at(60_000) }],
  ['of another version', { version: '2' }],
  ['for another chain', {}, [{ chainId: 'eip155:1', type: 'eip191' }]],
  ['for another kind of key', {}, [{ chainId: 'eip155:84532', type: 'ed25519' }]],
  ['for no chain', {}, []],
  ['for a hundred chains', {}, Array.from({ length: 100 }, () => chains[0])],
])('a challenge %s is not signed [gateway.sign-in.refused]', (_, changes, supported) => {
  expect(read(changes, supported)).toBeNull();
});

test('whatever stands where a challenge does is read without an exception [gateway.sign-in.refused]', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const about = { origin, chainIds: [84532], now };
      for (const requirement of [value, { extensions: value }, { extensions: { 'sign-in-with-x': value } }])
        expect(readChallenge(requirement, about)).toBeNull();
    }),
  );
});

test('the text is the one that ERC-4361 has, line for line [gateway.sign-in.refused]', () => {
  const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(now) });
  const optional = fc.record(
    {
      notBefore: time,
      requestId: fc.stringMatching(/^[A-Za-z0-9]{1,20}$/),
      resources: fc.array(fc.webUrl(), { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(optional, time, time, (more, issuedAt, expirationTime) => {
      const times = { issuedAt, expirationTime };
      const message = { ...info, version: '1', chainId: 84532, ...more, ...times, address: owner.address };
      const { notBefore, ...rest } = message;
      const asked = {
        ...rest,
        issuedAt: issuedAt.toISOString(),
        expirationTime: expirationTime.toISOString(),
        ...(notBefore && { notBefore: notBefore.toISOString() }),
      } as Challenge;
      expect(signInText(asked, owner.address)).toBe(createSiweMessage(message as SiweMessage));
    }),
  );
});
