import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import { showAccount } from '../accounts/account.ts';
import { findAccountById } from '../accounts/store.ts';
import type { Sessions } from '../auth/session.ts';
import type { DashboardHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import { type AcceptParts, acceptInvitation, noInvitation, personIdOf } from './accept.ts';
import { findInvitation } from './invitation-store.ts';
import type { SignedIn } from './passwords.ts';
import type { Person } from './person.ts';
import { isStillTheirs } from './sign-in-store.ts';
import { findPerson, lockPeople } from './store.ts';

type SignInParts = AcceptParts & { readonly sessions: Sessions };

type SignInHandlers = Pick<
  DashboardHandlers,
  | 'lookAtInvitation'
  | 'passkeyCreation'
  | 'acceptInvitation'
  | 'passkeyRequest'
  | 'passkeyLogin'
  | 'passwordLogin'
>;

/**
 * Handles sign-in without the account's wallet: an invitation, then a passkey or a user name and password.
 */
export function signInHandlers(parts: SignInParts): SignInHandlers {
  const { pool, sessions, passkeys, passwords, now } = parts;
  const failed = (why: string) => refusal('AUTHENTICATION_FAILED', why);

  async function open(db: Queryable, accountId: string, person: Person) {
    const account = await findAccountById(db, accountId);
    if (account === null || account.closedAt !== null) return failed('the account is gone');
    const { token, expiresAt, cookie } = await sessions.open(account, person, db);
    const data = { token, expiresAt: expiresAt.toISOString(), account: showAccount(account) };
    return { ...ok(data), headers: { 'set-cookie': cookie } };
  }

  /** INVARIANT: a sign-in that is replaced, or whose person is removed, while it is checked opens no session. */
  const openFor = ({ accountId, personId, by }: SignedIn) =>
    inTransaction(pool, async (db) => {
      await lockPeople(db, accountId);
      const found = await findPerson(db, accountId, personId);
      if (found === null || !(await isStillTheirs(db, personId, by)))
        return failed('this sign-in was replaced or removed');
      return open(db, accountId, { id: found.id, name: found.name, roles: found.roles, holder: false });
    });

  return {
    async lookAtInvitation({ body }) {
      const found = await findInvitation(pool, body.token, now());
      if (found === null) return fail(noInvitation);
      const { name, roles, walletAddress, personId, expiresAt } = found;
      const renews = personId !== null;
      return ok({ name, roles: [...roles], walletAddress, renews, expiresAt: expiresAt.toISOString() });
    },

    async passkeyCreation({ body, headers }) {
      const found = await findInvitation(pool, body.token, now());
      if (found === null) return fail(noInvitation);
      const options = await passkeys.creation(headers, personIdOf(found), found.name);
      return options.ok ? ok({ options: options.value }) : refusal('UNAUTHORIZED_OPERATION', options.error);
    },

    acceptInvitation: ({ body, headers }) => acceptInvitation(parts, body, headers, open),

    async passkeyRequest({ headers }) {
      const options = await passkeys.request(headers);
      return options.ok ? ok({ options: options.value }) : refusal('UNAUTHORIZED_OPERATION', options.error);
    },

    async passkeyLogin({ body, headers }) {
      const known = await passkeys.check(headers, body.passkey);
      return known.ok ? openFor(known.value) : failed(known.error);
    },

    async passwordLogin({ body, address }) {
      const known = await passwords.check({ ...body, address });
      if (known.ok) return openFor(known.value);
      if (known.error.kind === 'wrong') return failed('user name or password is wrong');
      const { why, seconds } =
        known.error.kind === 'busy'
          ? { why: 'too many sign-ins at this moment', seconds: 1 }
          : { why: 'too many wrong passwords', seconds: known.error.seconds };
      const refused = refusal('RATE_LIMITED', `${why}: wait ${seconds} s`);
      return { ...refused, headers: { 'retry-after': String(seconds) } };
    },
  };
}
