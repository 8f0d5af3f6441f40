import { randomBytes } from 'node:crypto';
import type { Role } from '@countersign/protocol/dashboard/roles';
import { expect } from 'vitest';
import type { Json, TestDashboard } from '../dashboard.ts';

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

export const aPassword = () => `quite a long one ${randomBytes(6).toString('hex')}`;
export const aUserName = () => `user.${randomBytes(6).toString('hex')}`;

/** What a test does with the people of accounts. */
export function peopleCalls(dashboard: TestDashboard) {
  const invite = (token: string, roles: readonly string[], name = 'Grace') =>
    dashboard.post('/api/people/invitations', { name, roles }, token);
  const accept = (body: Json) => dashboard.post('/api/invitations/accept', body);
  const logIn = (userName: string, password: string) =>
    dashboard.post('/api/auth/password/login', { userName, password });

  /** Somebody of the account with these roles, logged in by a password. */
  async function newPerson({ token }: Pick<Owner, 'token'>, roles: readonly Role[], name = 'Grace') {
    const invited = await invite(token, roles, name);
    expect(invited).toMatchObject({ status: 200 });
    const password = { userName: aUserName(), password: aPassword() };
    const accepted = await accept({ token: invited.data.token, password });
    expect(accepted).toMatchObject({ status: 200 });
    const me = await dashboard.request('GET', '/api/auth/me', { token: accepted.data.token });
    return { token: accepted.data.token as string, id: me.data.person.id as string, ...password };
  }
  const me = (token: string) => dashboard.request('GET', '/api/auth/me', { token });
  const remove = (token: string, id: string) => dashboard.request('DELETE', `/api/people/${id}`, { token });
  const changeRoles = (token: string, id: string, roles: readonly string[]) =>
    dashboard.post(`/api/people/${id}/roles`, { roles }, token);
  return { invite, accept, logIn, newPerson, me, remove, changeRoles };
}
