import { defaultRules, valueRules } from '@countersign/protocol/control/rotation';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeValue, newValueIn, withValue } from './new-value.ts';

const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).filter(
  (character) => !'"\\:'.includes(character),
);
const rules = fc.record({
  length: fc.integer({ min: 16, max: 256 }),
  alphabet: fc.uniqueArray(fc.constantFrom(...printable), { minLength: 10 }).map((all) => all.join('')),
});
const below = (seed: number) => {
  let state = seed;
  return (n: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % n;
};

test('a value has the length and the characters of its rules, and JSON writes it as it is', () => {
  fc.assert(
    fc.property(rules, fc.nat(), (given, seed) => {
      const read = valueRules.parse(given);
      const value = makeValue(read, below(seed)).toString();
      expect(value).toHaveLength(read.length);
      expect(Array.from(value).every((character) => read.alphabet.includes(character))).toBe(true);
      expect(JSON.stringify(value)).toBe(`"${value}"`);
    }),
  );
});

test('what JSON would escape, what parts a log-in, and a character twice are in no alphabet', () => {
  for (const wrong of ['"', '\\', ':', ' ', '\u007f', 'é', 'a'])
    expect(valueRules.safeParse({ ...defaultRules, alphabet: `abcdefghijkl${wrong}` }).success).toBe(false);
});

test('a new value takes the place of the old one, and all else stays', () => {
  const text = fc.string({ minLength: 1 });
  const keys = text.filter((key) => !key.includes(':'));
  fc.assert(
    fc.property(keys, text, text, rules, fc.nat(), (key, username, password, given, seed) => {
      const value = makeValue(given, below(seed));
      const kept = (data: object) => Buffer.from(JSON.stringify(data));
      const next = withValue(kept({ key, secret: password }), 'api_key', value);
      expect(JSON.parse(String(next))).toEqual({ key: value.toString(), secret: password });
      const login = withValue(kept({ password, username }), 'username_password', value);
      expect(JSON.parse(String(login))).toEqual({ username, password: value.toString() });
      expect(newValueIn(login ?? Buffer.alloc(0))).toEqual(value);
    }),
  );
});

test('there is none of a key that may be a log-in, nor of what has no key of its own', () => {
  const value = makeValue(defaultRules, below(1));
  const none = (data: object, type: 'api_key' | 'oauth_token' | 'database_connection') =>
    expect(withValue(Buffer.from(JSON.stringify(data)), type, value)).toBeNull();
  none({ key: 'ann:secret' }, 'api_key');
  none({ key: 'ann\u003asecret' }, 'api_key');
  none({ refresh_token: 'r' }, 'oauth_token');
  none({ host: 'h', port: 1, database: 'd', username: 'u', password: 'p' }, 'database_connection');
});
