import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { expectOk, logIn } from '../dashboard-account.ts';
import type { Login, Wallet } from '../keys.ts';

type About = {
  readonly dashboard: URL;
  readonly chainId: number;
  readonly owner: Wallet;
  readonly auditor: Login;
};

/** Sees to it that this auditor can sign in to the owner's account: invited, where no earlier start has done it. */
export async function ensureAuditor({ dashboard: origin, chainId, owner, auditor }: About): Promise<void> {
  const baseUrl = new URL(origin.origin);
  const dashboard = createClient(dashboardRoutes, dashboardDialect, { baseUrl, timeoutMs: 30_000 });
  try {
    const password = { userName: auditor.username, password: auditor.password };
    const known = await dashboard.passwordLogin({ body: password });
    if (known.kind === 'ok') return void (await dashboard.logout({ token: known.data.token }));
    // Locked out or out of order is not unknown: another invitation would end at a name that is taken.
    if (known.kind !== 'refused' || known.status !== 401) expectOk('let the auditor in', known);
    const { token } = await logIn(dashboard, owner, { origin: baseUrl, chainId });
    const body = { name: 'Demo auditor', roles: ['auditor' as const] };
    const invited = expectOk('invite the auditor', await dashboard.invitePerson({ token, body }));
    const accepting = { body: { token: invited.token, password } };
    const { token: theirs } = expectOk('let the auditor in', await dashboard.acceptInvitation(accepting));
    await dashboard.logout({ token: theirs });
    await dashboard.logout({ token });
  } finally {
    await dashboard.close();
  }
}
