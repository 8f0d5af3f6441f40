import type { Role } from '@countersign/protocol/dashboard/roles';
import { isNoHigher } from '@countersign/protocol/dashboard/who-may';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import type { RandomBytes } from '../ids.ts';
import { type Answer, refusal, type Refusal } from '../refusal.ts';
import { type Change, listChanges } from './changes.ts';
import { endWhatTheyMade } from './end-what-they-made.ts';
import { holder, showActor, showPerson } from './person.ts';
import { shutOutPerson } from '../provider-login/identity-store.ts';
import { rolesNow } from './roles-now.ts';
import * as store from './store.ts';

export type PeopleParts = {
  readonly pool: Pool;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly tell: Tell;
};

type PeopleHandlers = Pick<DashboardHandlers, 'listPeople' | 'changeRoles' | 'removePerson' | 'listChanges'>;

export const noSuchPerson: Refusal = { code: 'BUSINESS_NOT_FOUND', msg: 'person not found' };
export const ofProvider: Refusal = {
  code: 'UNAUTHORIZED_OPERATION',
  msg: 'they sign in through the provider, whose groups determine their roles: change them there',
};
export const higher: Refusal = {
  code: 'UNAUTHORIZED_OPERATION',
  msg: 'roles: these allow more than your own, so you cannot grant or remove them',
};

/** The people of an account. INVARIANT: whoever changes them holds `lockPeople`, and is asked for their roles once more. */
export function peopleHandlers(parts: PeopleParts): PeopleHandlers {
  const { pool, now, tell } = parts;

  /** Does it to somebody whose roles are no higher than the caller's; ends the streams or sessions that it gives. */
  async function changing(
    { account, person }: SessionCaller,
    id: string,
    work: (
      db: Queryable,
      found: store.PersonRecord,
      mine: readonly Role[],
    ) => Promise<Answer<readonly string[]>>,
  ): Promise<Answer<null>> {
    const done = await inTransaction<Answer<readonly string[]>>(pool, async (db) => {
      await store.lockPeople(db, account.id);
      const mine = await rolesNow(db, account, person);
      if (id === 'holder') return refusal('UNAUTHORIZED_OPERATION', 'the wallet’s holder stays its owner');
      const found = await store.findPerson(db, account.id, id);
      if (found === null) return fail(noSuchPerson);
      if (id === person.id)
        return refusal('UNAUTHORIZED_OPERATION', 'nobody changes their own roles or removes themselves');
      return isNoHigher(found.roles, mine) ? work(db, found, mine) : fail(higher);
    });
    if (!done.ok) return done;
    tell({ kind: 'person', id, to: [] });
    for (const session of done.value) tell({ kind: 'session', id: session, to: [account.id] });
    return ok(null);
  }

  return {
    async listPeople({ caller: { account } }) {
      const people = await store.listPeople(pool, account.id);
      return ok({ data: [showHolder(account), ...people.map(showRecord)] });
    },

    async changeRoles({ params, body: { roles }, caller }) {
      const id = params['id'] ?? '';
      const changed = await changing(caller, id, async (db, found, mine) => {
        if (found.issuer !== null) return fail(ofProvider);
        if (!isNoHigher(roles, mine)) return fail(higher);
        await store.changeRoles(db, found.id, roles);
        await endWhatTheyMade(db, found, roles, now());
        // Their streams begin anew, with the roles that they have now; the sessions stay.
        return ok(await store.sessionIdsOf(db, found.id));
      });
      if (!changed.ok) return changed;
      const person = await store.findPerson(pool, caller.account.id, id);
      return person === null ? fail(noSuchPerson) : ok({ person: showRecord(person) });
    },

    async removePerson({ params, caller }) {
      const id = params['id'] ?? '';
      const removed = await changing(caller, id, (db, found) => remove(db, found, now()));
      return removed.ok ? ok({ id }) : removed;
    },

    async listChanges({ query, caller }) {
      const { items, total } = await listChanges(pool, caller.account.id, query);
      return ok({ data: items.map(showChange), total, ...query });
    },
  };
}

/** The sessions that ended by it. */
async function remove(
  db: Queryable,
  found: store.PersonRecord,
  now: Date,
): Promise<Answer<readonly string[]>> {
  await endWhatTheyMade(db, found, [], now);
  await shutOutPerson(db, found.id, now);
  const sessions = await store.deleteSessionsOf(db, found.id);
  await store.deletePerson(db, found.id);
  return ok(sessions);
}

const showHolder = (account: Account) => ({
  ...showPerson(holder),
  userName: null,
  passkeys: 0,
  issuer: null,
  createdAt: account.createdAt.toISOString(),
});

const showRecord = ({ id, name, roles, userName, passkeys, issuer, createdAt }: store.PersonRecord) => ({
  ...showPerson({ id, name, roles, holder: false }),
  userName,
  passkeys,
  issuer,
  createdAt: createdAt.toISOString(),
});

const showChange = ({ id, at, personId, name, deed, subject, result, outcome }: Change) => ({
  id,
  at: at.toISOString(),
  by: showActor({ id: personId, name }),
  deed,
  subject,
  result,
  outcome,
});
