import type { Role } from '@countersign/protocol/dashboard/roles';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';

export const personTable = sqlTable('dashboard.person', 'p', [
  'id',
  'accountId',
  'name',
  'roles',
  'userName',
  'passwordHash',
  'createdAt',
]);

/** So many people has an account at most, and open invitations count. */
export const maxPeople = 200;

/** Somebody of an account besides the wallet's holder. */
export type PersonRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly userName: string | null;
  readonly createdAt: Date;
  readonly passkeys: number;
  /** The provider through which they sign in; null for somebody who was invited. */
  readonly issuer: string | null;
};

const columns = `${personTable.list('id', 'accountId', 'name', 'roles', 'userName', 'createdAt')},
  (select count(*)::int from dashboard.passkey k where k.person_id = p.id) as passkeys,
  (select n.issuer from dashboard.provider_identity n where n.person_id = p.id) as issuer`;

const lock = statement('people.lock', 'select 1 from dashboard.account where id = $1 for no key update');

/** Makes everyone else who changes the people of this account wait until the transaction ends. */
export async function lockPeople(db: Queryable, accountId: string): Promise<void> {
  await rows(db, lock, [accountId]);
}

const all = statement<PersonRecord>(
  'people.list',
  `select ${columns} from ${personTable.from} where p.account_id = $1 order by p.seq`,
);

export const listPeople = (db: Queryable, accountId: string): Promise<readonly PersonRecord[]> =>
  rows(db, all, [accountId]);

const one = statement<PersonRecord>(
  'people.find',
  `select ${columns} from ${personTable.from} where p.account_id = $1 and p.id = $2`,
);

export const findPerson = (db: Queryable, accountId: string, id: string): Promise<PersonRecord | null> =>
  firstRow(db, one, [accountId, id]);

const insert = statement(
  'people.insert',
  `${personTable.insertInto('id', 'accountId', 'name', 'roles', 'createdAt')} values ($1, $2, $3, $4, $5)`,
);

type NewPerson = Pick<PersonRecord, 'id' | 'accountId' | 'name' | 'roles' | 'createdAt'>;

export async function insertPerson(db: Queryable, person: NewPerson): Promise<void> {
  const { id, accountId, name, roles, createdAt } = person;
  await rows(db, insert, [id, accountId, name, [...roles], createdAt]);
}

const setRoles = statement('people.roles', 'update dashboard.person set roles = $2 where id = $1');

export async function changeRoles(db: Queryable, id: string, roles: readonly Role[]): Promise<void> {
  await rows(db, setRoles, [id, [...roles]]);
}

const remove = statement('people.remove', 'delete from dashboard.person where id = $1');

/** Removes somebody, with their passkeys, their password and what would renew them. */
export async function deletePerson(db: Queryable, id: string): Promise<void> {
  await rows(db, remove, [id]);
}

const endSessions = statement<{ id: string }>(
  'people.end-sessions',
  'delete from dashboard.session where person_id = $1 returning id',
);

/** Ends every session of somebody; gives their ids. */
export const deleteSessionsOf = async (db: Queryable, id: string): Promise<readonly string[]> =>
  (await rows(db, endSessions, [id])).map((session) => session.id);

const sessionsOf = statement<{ id: string }>(
  'people.sessions',
  'select id from dashboard.session where person_id = $1',
);

export const sessionIdsOf = async (db: Queryable, id: string): Promise<readonly string[]> =>
  (await rows(db, sessionsOf, [id])).map((session) => session.id);
