import type { Role } from '@countersign/protocol/dashboard/roles';
import type { SessionRoute } from '@countersign/protocol/dashboard/routes';
import { mayCall } from '@countersign/protocol/dashboard/who-may';
import type { Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { SessionCaller } from '../callers.ts';
import type { Refusal } from '../refusal.ts';
import { holder, type Person } from './person.ts';
import { findPerson, lockPeople } from './store.ts';

/** Roles can be lowered between the question and the lock: what counts is what they are now. */
export async function rolesNow(
  db: Queryable,
  account: Pick<Account, 'id'>,
  person: Pick<Person, 'id'>,
): Promise<readonly Role[]> {
  if (person.id === null) return holder.roles;
  return (await findPerson(db, account.id, person.id))?.roles ?? [];
}

const noLonger: Refusal = {
  code: 'UNAUTHORIZED_OPERATION',
  msg: 'your roles have changed and no longer allow this',
};

/** Takes `lockPeople`, and says why the caller may no longer call the route: what outlives a session is made only so. */
export async function whyNoLonger(
  db: Queryable,
  { account, person }: SessionCaller,
  route: SessionRoute,
): Promise<Refusal | null> {
  await lockPeople(db, account.id);
  const roles = await rolesNow(db, account, person);
  return mayCall(route, { roles, holder: person.holder }) ? null : noLonger;
}
