import { isNoHigher } from '@countersign/protocol/dashboard/who-may';
import type { BodyOf } from '@countersign/protocol/route';
import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Tell } from '../events/notice.ts';
import { type Answer, refusal, type Refusal } from '../refusal.ts';
import { beginChange, endChange } from './changes.ts';
import { findInvitation, type Invitation, revokeInvitationsBy, useInvitation } from './invitation-store.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import { isNameInUse } from './names.ts';
import type { Person } from './person.ts';
import { rolesNow } from './roles-now.ts';
import { forgetSignIn, insertPasskey, type Passkey, setUserName } from './sign-in-store.ts';
import * as store from './store.ts';
import { readUserName, whyNoPassword } from './user-name.ts';

export type AcceptParts = {
  readonly pool: Pool;
  readonly passkeys: Passkeys;
  readonly passwords: Passwords;
  readonly now: () => Date;
  readonly tell: Tell;
};

type Accepting = BodyOf<typeof dashboardRoutes.acceptInvitation>;
type Chosen = {
  readonly name: string;
  readonly password: { readonly userName: string; readonly hash: string } | null;
  readonly passkey: Passkey | null;
};

export const noInvitation: Refusal = {
  code: 'BUSINESS_NOT_FOUND',
  msg: 'the invitation is unknown, used, revoked or expired: ask for a new one',
};

/** The id that whoever accepts will have: known before, because their passkey is made for it. */
export const personIdOf = ({ id, personId }: Pick<Invitation, 'id' | 'personId'>): string =>
  personId ?? id.replace('ivt_', 'per_');

/** Opens a session of somebody, with what `lockPeople` protects still locked. */
type Open<T> = (db: Queryable, accountId: string, person: Person) => Promise<T>;

/**
 * Makes the person of an invitation, or renews their sign-in, and opens their session. Of two who accept at once one does.
 * INVARIANT: the session is there before anybody else removes them or replaces their sign-in, and so ends by it.
 */
export async function acceptInvitation<T>(
  parts: AcceptParts,
  body: Accepting,
  headers: Headers,
  open: Open<T>,
): Promise<T | Answer<never>> {
  const { pool, now, tell } = parts;
  const found = await findInvitation(pool, body.token, now());
  if (found === null) return fail(noInvitation);
  const chosen = await readChoice(parts, body, found, headers);
  if (!chosen.ok) return chosen;
  const personId = personIdOf(found);
  const done = await inTransaction<Answer<{ ended: readonly string[]; opened: T }>>(pool, async (db) => {
    await store.lockPeople(db, found.accountId);
    const time = now();
    // Whoever invited may have been removed or lowered meanwhile: what they may not give is not taken from them.
    const theirs = await rolesNow(db, { id: found.accountId }, { id: found.invitedBy });
    if (!isNoHigher(found.roles, theirs)) return fail(noInvitation);
    if (body.name !== undefined && (await isNameOfAnother(db, found, chosen.value.name)))
      return fail(nameInUse);
    if (!(await useInvitation(db, found.id, time))) return fail(noInvitation);
    const ended = await makePerson(db, found, chosen.value, time);
    const why = await keepSignIn(db, personId, chosen.value, time);
    if (why !== null) throw new Unacceptable(why);
    const person = { id: personId, name: chosen.value.name };
    const at = { accountId: found.accountId, person, deed: 'acceptInvitation', subject: found.id, at: time };
    await endChange(db, await beginChange(db, at), 'done', personId);
    const roles = await rolesNow(db, { id: found.accountId }, person);
    const opened = await open(db, found.accountId, { ...person, roles, holder: false });
    return ok({ ended, opened });
  }).catch(unacceptable);
  if (!done.ok) return done;
  for (const id of done.value.ended) tell({ kind: 'session', id, to: [found.accountId] });
  return done.value.opened;
}

const nameInUse: Refusal = {
  code: 'REPEATED_SUBMIT',
  msg: 'name: somebody in this account has this name; choose another one',
};

/**
 * Returns whether a name that somebody chooses themselves is the holder's or another person's of the account.
 */
async function isNameOfAnother(
  db: Queryable,
  { accountId, personId }: Invitation,
  name: string,
): Promise<boolean> {
  // Who is there keeps the name that they have.
  if (personId !== null) return false;
  return isNameInUse(db, accountId, name);
}

/** Undoes the transaction: nothing of the invitation is used up. */
class Unacceptable extends Error {
  readonly why: Refusal;
  constructor(why: Refusal) {
    super(why.msg);
    this.why = why;
  }
}

function unacceptable(error: unknown): Answer<never> {
  if (error instanceof Unacceptable) return fail(error.why);
  throw error;
}

async function readChoice(
  { passkeys, passwords }: AcceptParts,
  { name, password, passkey }: Accepting,
  invitation: Invitation,
  headers: Headers,
): Promise<Answer<Chosen>> {
  if (password === undefined && passkey === undefined)
    return refusal('INVALID_PARAM', 'passkey: one is needed, or a user name and password');
  const named = readPassword(password);
  if (!named.ok) return named;
  const made = passkey === undefined ? null : await passkeys.read(headers, passkey);
  if (made !== null && !made.ok) return refusal('AUTHENTICATION_FAILED', made.error);
  const hashed = named.value && {
    userName: named.value.userName,
    hash: await passwords.hash(named.value.password),
  };
  // Nobody names anew whom others know.
  const chosenName = invitation.personId === null ? (name ?? invitation.name) : invitation.name;
  return ok({ name: chosenName, password: hashed, passkey: made?.value ?? null });
}

function readPassword(shown: Accepting['password']): Answer<NonNullable<Accepting['password']> | null> {
  if (shown === undefined) return ok(null);
  const userName = readUserName(shown.userName);
  if (userName === null) return refusal('INVALID_PARAM', badUserName);
  const why = whyNoPassword(shown.password, userName);
  return why === null ? ok({ userName, password: shown.password }) : refusal('INVALID_PARAM', why);
}

const badUserName =
  'password: userName must have 3 to 64 characters: letters a to z, digits and . _ - @ +, a letter or digit first';

/** The sessions that end by it: those of a person whose sign-in is replaced. */
async function makePerson(
  db: Queryable,
  { id, accountId, roles, personId }: Invitation,
  { name }: Chosen,
  now: Date,
): Promise<readonly string[]> {
  if (personId === null) {
    const made = personIdOf({ id, personId });
    await store.insertPerson(db, { id: made, accountId, name, roles, createdAt: now });
    return [];
  }
  await forgetSignIn(db, personId);
  await revokeInvitationsBy(db, personId, now);
  return store.deleteSessionsOf(db, personId);
}

async function keepSignIn(
  db: Queryable,
  personId: string,
  { password, passkey }: Chosen,
  now: Date,
): Promise<Refusal | null> {
  if (password !== null && !(await setUserName(db, personId, password.userName, password.hash)))
    return { code: 'REPEATED_SUBMIT', msg: 'the user name is taken: choose another one' };
  if (passkey !== null && !(await insertPasskey(db, personId, passkey, now)))
    return { code: 'REPEATED_SUBMIT', msg: 'the passkey is already in use here' };
  return null;
}
