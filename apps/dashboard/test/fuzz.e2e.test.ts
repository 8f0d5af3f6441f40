import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { Route } from '@countersign/protocol/route';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askedOf } from './approvals.ts';
import { type Json, newWallet, openDashboard, type TestDashboard } from './dashboard.ts';
import { type Drawn, requestTo, spoilt } from '../../../packages/service/test/fuzz/request.ts';
import type { Plausible } from '../../../packages/service/test/fuzz/values.ts';
import { demoFile, importInto } from './sanctions.ts';

type Account = Awaited<ReturnType<TestDashboard['newAccount']>>;

const operator = newWallet();
let dashboard: TestDashboard;
let owner: Account;
/** Whose session may be ended. */
let leaving: Account;
let document: Json;
let mandateId: string;
let approvalId: string;
/** Of keys and of sessions. */
let ids: readonly string[];
beforeAll(async () => {
  dashboard = await openDashboard({ operators: new Set([operator.address]) });
  owner = await dashboard.newAccount(operator);
  leaving = await dashboard.newAccount();
  await importInto(dashboard, { from: demoFile, kind: 'demonstration' });
  const asked = askedOf(owner.address, dashboard.clock.now);
  approvalId = asked.approvalId;
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...asked });
  document = await (await fetch(`${dashboard.url}/openapi.json`)).json();
});
// New ones for each endpoint: some of them end what they name.
beforeEach(async () => {
  mandateId = await dashboard.newMandate(owner);
  const { data: key } = await dashboard.post('/api/keys', { name: 'k' }, owner.token);
  await dashboard.loginReply(operator);
  const sessions = await dashboard.request('GET', '/api/auth/sessions', { token: owner.token });
  const others = sessions.data.data.filter(({ current }: Json) => !current);
  ids = [key.id, ...others.slice(0, 1).map(({ id }: Json) => id)];
});
afterAll(() => dashboard.stop());

const plausible: Plausible = (name) => {
  if (/wallet|address|merchants|payer$|payee$/i.test(name))
    return [owner.address, newWallet().address.toLowerCase()];
  if (/limit|budget|amount|threshold/i.test(name)) return ['1', '0.005', '20', '999999999999999999'];
  if (name.endsWith('Date')) return ['2026-11-21', '2026-11-21T00:00:00+23:59', '0000-01-01', '9999-12-31'];
  if (/mandateId/i.test(name)) return [mandateId, mandateId, mandateId, 'mdt_none'];
  if (/approvalId/.test(name)) return [approvalId, approvalId, 'none'];
  if (name === 'id') return [...ids, '1', 'none'];
  return ['base', 'DE', 'a', '0x12'];
};

type Name = keyof typeof dashboardRoutes;

describe('whatever is sent, the answer is documented, in the envelope, and never a failure [dashboard.envelope.fields] [dashboard.envelope.documented]', () => {
  test.each(Object.keys(dashboardRoutes) as Name[])('%s', async (name) => {
    const route: Route = dashboardRoutes[name];
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operation = document.paths[path][route.method.toLowerCase()];
    const caller = name === 'logout' ? leaving : owner;
    const property = fc.asyncProperty(requestTo(path, operation, plausible), async (drawn) => {
      const answer = await exchange(route, drawn, caller);
      expect({ failed: answer.status >= 500, text: answer.text }).toMatchObject({ failed: false });
      expect(Object.keys(operation.responses)).toContain(String(answer.status));
      judge(route, operation, answer);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

type Answered = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
};

/** Sends what was drawn; of a stream only its beginning is read. */
async function exchange(route: Route, drawn: Drawn, caller: Account): Promise<Answered> {
  const apiKey = { good: caller.apiKey, bad: 'csk_bad', none: undefined }[drawn.credentials];
  const token = { good: caller.token, bad: 'bad', none: undefined }[drawn.credentials];
  const leave = new AbortController();
  const response = await fetch(dashboard.url + drawn.path, {
    method: route.method,
    signal: leave.signal,
    headers: {
      ...(drawn.contentType !== null && { 'content-type': drawn.contentType }),
      ...drawn.headers,
      ...(route.auth.startsWith('session') && token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(route.method !== 'GET' && {
      body: new Uint8Array(Buffer.from(spoilt(drawn, route.auth === 'api-key' ? { apiKey } : {}))),
    }),
  });
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
  const type = response.headers.get('content-type') ?? '';
  const text = type === 'text/event-stream' ? '' : await response.text();
  leave.abort();
  return { status: response.status, type, text };
}

/** What the document promises for this status: the envelope with its data or, of a success, another media type. */
function judge(route: Route, operation: Json, { status, type, text }: Answered): void {
  const media = type.split(';')[0] ?? '';
  expect(Object.keys(operation.responses[status].content)).toContain(media);
  const answer = media === 'application/json' ? JSON.parse(text) : noEnvelope;
  expect(Object.keys(answer)).toEqual(['code', 'msg', 'data']);
  expect(answer).toMatchObject({ code: expect.any(Number), msg: expect.any(String) });
  expect(answer.code === 80000000).toBe(status < 300);
  const mustFit = status < 300 && answer !== noEnvelope;
  expect(mustFit && route.data.safeParse(answer.data).error).toBeFalsy();
}

/** Stands for what has none: a file, or a stream. */
const noEnvelope = { code: 80000000, msg: '', data: null };
