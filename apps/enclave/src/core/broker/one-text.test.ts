import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { databaseOf } from './database.ts';
import { oneText } from './one-text.ts';

const textOf = (value: object): string | undefined => oneText(Buffer.from(JSON.stringify(value)))?.toString();

test('a key is itself, a login is user and password, and of anything else there is none', () => {
  expect(textOf({ key: 'k-1', secret: 'other' })).toBe('k-1');
  expect(textOf({ username: 'ada', password: 'p:ä' })).toBe('ada:p:ä');
  const place = { username: 'u', password: 'p', host: 'h', port: 1 };
  for (const database of ['.', '..']) expect(textOf({ ...place, database })).toBeUndefined();
  for (const none of [{ refresh_token: 'r' }, { username: 'ada' }, { host: 'h', port: 1, database: 'd' }])
    expect(textOf(none)).toBeUndefined();
});

test('a database is a URL that is read as what was put in, whatever the signs', () => {
  const sign = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((one) => one.isWellFormed());
  const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6());
  const port = fc.integer({ min: 1, max: 65_535 });
  const database = sign.filter((one) => !/^\.\.?$/.test(one));
  fc.assert(
    fc.property(sign, sign, host, port, database, (username, password, host, port, database) => {
      const text = textOf({ username, password, host, port, database });
      const read = databaseOf(text ?? '');
      expect(read).toMatchObject({ user: username, password, host, port, name: database });
    }),
  );
});
