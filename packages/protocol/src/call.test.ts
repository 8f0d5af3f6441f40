import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOutcome, requestOf } from './call.ts';
import { controlCodes } from './control/codes.ts';
import { controlDialect } from './control/dialect.ts';
import { dashboardCodes } from './dashboard/codes.ts';
import { dashboardDialect } from './dashboard/dialect.ts';
import type { Dialect } from './dialect.ts';
import type { Route } from './route.ts';
import { vaultCodes } from './vault/codes.ts';
import { vaultDialect } from './vault/dialect.ts';

const route: Route = {
  method: 'POST',
  path: '/things/:id/parts/:part_id',
  auth: 'none',
  summary: 'Take a part',
  data: z.object({ id: z.string() }),
};

const apis: readonly (readonly [string, Dialect<string, never>, object])[] = [
  ['dashboard', dashboardDialect, dashboardCodes],
  ['vault', vaultDialect, vaultCodes],
  ['control plane', controlDialect, controlCodes],
];

test.each(apis)('a client of the %s reads every word that its server says', (_, dialect, codes) => {
  const said = (status: number, answer: unknown) =>
    readOutcome(dialect, route, status, JSON.stringify(answer));
  expect(said(200, dialect.success({ id: 'a' }))).toEqual({ kind: 'ok', data: { id: 'a' } });
  for (const code of Object.keys(codes)) {
    const status = dialect.status(code);
    if (status === 200) continue;
    const refusal = { code, msg: 'no', data: { line: 3 } };
    expect(said(status, dialect.refusal(refusal))).toEqual({ kind: 'refused', status, ...refusal });
  }
});

test.each(apis)(
  'what the %s cannot have said is no answer, and a code from the future is a refusal',
  (_, dialect) => {
    const said = (status: number, text: string) => readOutcome(dialect, route, status, text);
    const malformed = { kind: 'failed', why: 'malformed' };
    for (const text of ['', '<html>', 'null', '[]', '{}', '{"code":1}', '{"error":{}}', '{"error":"no"}']) {
      expect(said(502, text)).toEqual(malformed);
      expect(said(200, text)).toEqual(malformed);
    }
    const [known = ''] = Object.values(dialect.faults);
    const future = JSON.stringify(dialect.refusal({ code: known, msg: 'no' }))
      .replace(`"code":"${known}"`, '"code":"from_the_future"')
      .replace(/"code":8\d+/, '"code":89999999');
    expect(said(418, future)).toMatchObject({ kind: 'refused', status: 418, code: 'unknown', msg: 'no' });
  },
);

test('a call is put together from its route: nothing that is given ends up beside its place', () => {
  const params = { id: 'a/b?', part_id: 'ü' };
  const query = { from: 'x&y=z', to: undefined, limit: 3 };
  expect(requestOf(route, { params, query, body: { id: 1 } }, 'csk')).toEqual({
    path: '/things/a%2Fb%3F/parts/%C3%BC?from=x%26y%3Dz&limit=3',
    body: '{"id":1}',
  });
  expect(requestOf({ ...route, method: 'GET' }, { params })).toMatchObject({ body: null });
  expect(requestOf({ ...route, auth: 'api-key' }, { params }, 'csk')).toMatchObject({
    body: '{"apiKey":"csk"}',
  });
  expect(requestOf(route, { params })).toMatchObject({ body: '{}' });
});
