import { expect, test } from 'vitest';
import { claimsIn } from './claims.ts';

const claimsOf = (credentialSubject: unknown) =>
  claimsIn(Buffer.from(JSON.stringify({ did: 'did:example:a', credential_json: { credentialSubject } }))).map(
    String,
  );

test('texts and numbers of four characters or more are claims at any depth; names of the holder and types are none', () => {
  const subject = {
    id: 'did:example:a',
    type: 'Person',
    passport: 'C01X0006H',
    country: 'DE',
    isAdult: true,
    member: 'true',
    height: 176,
    born: 1987,
    postcode: '10115',
    number: 12_345_678,
    address: [{ '@type': 'PostalAddress', street: 'Lindenweg 4' }],
  };
  expect(claimsOf(subject)).toEqual(['C01X0006H', '12345678', 'Lindenweg 4']);
});

test('a date is looked for as pages write it, and so is the date of a time', () => {
  for (const date of ['1987-04-23', '1987-04-23T00:00:00Z'])
    expect(claimsOf({ date })).toEqual(
      expect.arrayContaining([
        '23.04.1987',
        '04/23/1987',
        'April 23, 1987',
        '23 April 1987',
        '23 avril 1987',
      ]),
    );
  expect(claimsOf({ date: '1987-13-23' })).toEqual(['1987-13-23']);
});

test('of a credential without end the first 64 claims are taken, and no pictures', () => {
  expect(claimsOf(Array.from({ length: 1000 }, (_, i) => `claim ${i}`))).toHaveLength(64);
  expect(claimsOf({ portrait: 'x'.repeat(513) })).toEqual([]);
  expect(claimsOf(undefined)).toEqual([]);
});
