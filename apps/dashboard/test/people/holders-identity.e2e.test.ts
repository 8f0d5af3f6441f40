import { roles } from '@countersign/protocol/dashboard/roles';
import { dashboardRoutes, type SessionRoute } from '@countersign/protocol/dashboard/routes';
import type { Route } from '@countersign/protocol/route';
import { expect, test } from 'vitest';
import { type Json, newWallet, openDashboardForTest } from '../dashboard.ts';
import { newIdentity } from '../personal-data.ts';
import { peopleCalls } from './people.ts';

test('who the wallet’s holder is stands in no answer to anybody whom they invited [dashboard.people.holder]', async () => {
  const dashboard = await openDashboardForTest({ operators: new Set([newWallet().address]) });
  const people = peopleCalls(dashboard);
  const owner = await dashboard.newAccount();
  const identity = newIdentity();
  expect(await dashboard.post('/api/kyc/submit', identity, owner.token)).toMatchObject({ status: 200 });
  const status = (token: string) => dashboard.request('GET', '/api/kyc/status', { token });
  expect((await status(owner.token)).data.review).toMatchObject({ ...identity, personalData: 'kept' });
  const secrets = [identity.fullName, identity.documentNumber];
  for (const role of roles) {
    const { token } = await people.newPerson(owner, [role]);
    for (const [name, { method, path, auth, stream }] of Object.entries<Route>(dashboardRoutes)) {
      const isSession = auth === 'session' || auth === 'session-or-key';
      if (!isSession || stream || ownDoings.includes(name as SessionRoute)) continue;
      const to = path.replace(/:\w+/g, 'some');
      const options = { token, ...(method === 'POST' && { body: {} }) };
      const text = JSON.stringify(await dashboard.request(method, to, options));
      expect([role, name, secrets.filter((secret) => text.includes(secret))]).toEqual([role, name, []]);
    }
  }
  const auditor = await people.newPerson(owner, ['auditor']);
  const withheld: Json = { fullName: null, country: null, documentType: null, documentNumber: null };
  expect((await status(auditor.token)).data).toMatchObject({
    kycStatus: 'pending',
    submitted: true,
    review: { ...withheld, personalData: 'withheld' },
  });
});

const ownDoings: readonly SessionRoute[] = ['logout', 'revokeSession'];
