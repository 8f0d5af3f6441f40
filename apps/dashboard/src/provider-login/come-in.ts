import type { Role } from '@countersign/protocol/dashboard/roles';
import { whyIllegible } from '@countersign/protocol/legible-name';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { findAccount } from '../accounts/store.ts';
import type { Tell } from '../events/notice.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { beginChange, endChange } from '../people/changes.ts';
import { endWhatTheyMade } from '../people/end-what-they-made.ts';
import { isNameInUse } from '../people/names.ts';
import type { Person } from '../people/person.ts';
import * as people from '../people/store.ts';
import { type Answer, refusal } from '../refusal.ts';
import { findIdentity, type Identity, insertIdentity, noteSignIn } from './identity-store.ts';
import type { Vouched } from './provider.ts';
import { rolesOf } from './roles-of.ts';
import type { ProviderSettings } from './settings.ts';

export type ComingInParts = {
  readonly pool: Pool;
  readonly settings: ProviderSettings;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly tell: Tell;
};

type Open<T> = (db: Queryable, account: Account, person: Person) => Promise<T>;
/** Who went or has other roles now, the sessions that ended by it, and what to answer. */
type Outcome<T> = {
  readonly changed?: string;
  readonly ended: readonly string[];
  readonly answer: Answer<never> | T;
};

const refused = (why: string) => refusal('AUTHENTICATION_FAILED', `not signed in: ${why}`);

/**
 * Lets somebody in whom the provider vouches for, as the person of this issuer and subject and of no other, with the roles that their
 * groups give now. Whose groups give others ends all that the old ones allowed, and their sessions; whose groups give none
 * is no person of the account any more, until they do.
 */
export async function comeIn<T>(
  parts: ComingInParts,
  vouched: Vouched,
  open: Open<T>,
): Promise<Answer<never> | T> {
  const { pool, settings, tell } = parts;
  const given = rolesOf(vouched.groups, settings.rolesOfGroups);
  if (!given.ok) return refused(given.error);
  const account = await findAccount(pool, settings.account);
  if (account === null) return refused('the account is not there yet: its wallet logs in first');
  if (account.closedAt !== null) return refused('the account was recovered and is closed');
  const { changed, ended, answer } = await inTransaction<Outcome<T>>(pool, async (db) => {
    await people.lockPeople(db, account.id);
    const known = await findIdentity(db, { ...vouched, accountId: account.id });
    if (known !== null && known.shutOutAt !== null)
      return { ended: [], answer: refused('somebody of the account removed you') };
    return given.value.length === 0
      ? leave(db, parts, known)
      : enter(db, parts, { account, known, vouched, roles: given.value, open });
  });
  for (const id of ended) tell({ kind: 'session', id, to: [account.id] });
  if (changed !== undefined) tell({ kind: 'person', id: changed, to: [] });
  return answer;
}

/** Ends whoever has no group any more. */
async function leave(db: Queryable, { now }: ComingInParts, known: Identity | null): Promise<Outcome<never>> {
  const answer = refused('none of your groups at the provider may');
  const person = known && (await people.findPerson(db, known.accountId, known.personId));
  if (person === null) return { ended: [], answer };
  return { changed: person.id, ended: await letGo(db, person, 'providerLeft', now()), answer };
}

/** Ends somebody of the provider's, with all that they made; gives the sessions that ended. Holds `lockPeople`. */
export async function letGo(
  db: Queryable,
  person: people.PersonRecord,
  deed: 'providerLeft' | 'providerAway',
  now: Date,
): Promise<readonly string[]> {
  await record(db, person, deed, now);
  await endWhatTheyMade(db, person, [], now);
  const ended = await people.deleteSessionsOf(db, person.id);
  await people.deletePerson(db, person.id);
  return ended;
}

type Entering<T> = {
  readonly account: Account;
  readonly known: Identity | null;
  readonly vouched: Vouched;
  readonly roles: readonly Role[];
  readonly open: Open<T>;
};

async function enter<T>(
  db: Queryable,
  parts: ComingInParts,
  { account, known, vouched, roles, open }: Entering<T>,
): Promise<Outcome<T>> {
  const { now } = parts;
  const found = known && (await people.findPerson(db, account.id, known.personId));
  if (found === null && (await people.listPeople(db, account.id)).length >= people.maxPeople)
    return { ended: [], answer: refused(`the account has ${people.maxPeople} people`) };
  const { personId, name } = known ?? (await meet(db, parts, account.id, vouched));
  const person = { id: personId, accountId: account.id, name, roles };
  await noteSignIn(db, personId, now());
  const isNew = found === null;
  if (isNew) await people.insertPerson(db, { ...person, createdAt: now() });
  const isChanged = found !== null && !isSame(found.roles, roles);
  if (isNew || isChanged) await record(db, person, isNew ? 'providerJoined' : 'providerChanged', now());
  const ended = isChanged ? await change(db, person, now()) : [];
  const answer = await open(db, account, { id: personId, name, roles, holder: false });
  return { ended, answer, ...(isChanged && { changed: personId }) };
}

const isSame = (some: readonly Role[], others: readonly Role[]): boolean =>
  some.length === others.length && some.every((role) => others.includes(role));

type Whose = Pick<people.PersonRecord, 'id' | 'accountId' | 'name' | 'roles'>;

async function change(db: Queryable, person: Whose, now: Date): Promise<readonly string[]> {
  const { id, roles } = person;
  await people.changeRoles(db, id, roles);
  await endWhatTheyMade(db, person, roles, now);
  return people.deleteSessionsOf(db, id);
}

/** The provider's groups did it: on record under the name of whom it is about. */
async function record(db: Queryable, { id, accountId, name }: Whose, deed: string, at: Date): Promise<void> {
  const begun = await beginChange(db, { accountId, person: { id, name }, deed, subject: id, at });
  await endChange(db, begun, 'done', id);
}

async function meet(
  db: Queryable,
  { random, now }: ComingInParts,
  accountId: string,
  vouched: Vouched,
): Promise<Identity> {
  const { issuer, subject } = vouched;
  const ids = { id: newId(random, 'pid'), personId: newId(random, 'per') };
  const name = await nameOf(db, accountId, vouched.names, ids.personId);
  const met = { ...ids, accountId, issuer, subject, name, createdAt: now() };
  await insertIdentity(db, met);
  return { ...met, shutOutAt: null };
}

const maxName = 64;

/** The first of the provider's names that people can read and nobody else has; else one of ours. */
async function nameOf(db: Queryable, accountId: string, names: readonly unknown[], personId: string) {
  for (const name of names) {
    if (typeof name !== 'string' || name.length > maxName || whyIllegible(name) !== null) continue;
    if (!(await isNameInUse(db, accountId, name))) return name;
  }
  return `Person ${personId.slice(-6)}`;
}
