import { expect, test } from 'vitest';
import { databaseUrl } from './config.ts';

test.each(['a/b', '12/b', 'a#b'])(
  'of a database whose password is %s as it is, one sentence says to encode it [system.config.database-url]',
  (password) => {
    const read = databaseUrl(`postgres://user:${password}@db.example/name`);
    expect(read).toEqual({
      ok: false,
      error: expect.stringMatching(/^is no URL: percent-encode the password/),
    });
  },
);

test.each([
  'postgres://user:a%2Fb@db.example:5432/name',
  'postgresql://db.example/name',
  'postgres:///name?host=/run/postgresql',
])('a database is named by %s [system.config.database-url]', (url) => {
  expect(databaseUrl(url)).toEqual({ ok: true, value: url });
});
