import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

const made = ['id', 'accountId', 'issuer', 'subject', 'personId', 'name', 'createdAt'] as const;
export const identityTable = sqlTable('dashboard.provider_identity', 'n', [...made, 'shutOutAt']);
/** The fields of an `Identity`. */
const columns = identityTable.list(...made, 'shutOutAt');

/** Somebody as the provider knows them. */
export type Identity = {
  readonly id: string;
  readonly accountId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly personId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly shutOutAt: Date | null;
};

/** Returns what replaces a subject on erasure: it identifies nobody, yet still blocks whoever was blocked. */
const erasedSubject = (subject: string): string =>
  `'sha256:' || encode(sha256(convert_to(n.account_id || ' ' || n.issuer || ' ' || ${subject}, 'UTF8')), 'hex')`;

/** The account `$1` is erased: its identities go, but for who is shut out, of whom a nameless one without the subject stays. */
export const eraseIdentities = `
  met as (delete from dashboard.provider_identity where account_id = $1 and shut_out_at is null returning 1),
  out as (update dashboard.provider_identity n set name = '', subject = ${erasedSubject('n.subject')}
    where account_id = $1 and shut_out_at is not null and name <> '' returning 1)`;

const find = statement<Identity>(
  'provider-identity.find',
  `select ${columns} from ${identityTable.from} where n.account_id = $1 and n.issuer = $2
   and n.subject = case when n.name = '' then ${erasedSubject('$3')} else $3 end`,
);

/** Who this is, by issuer and subject to the letter; null for somebody new. */
export const findIdentity = (
  db: Queryable,
  { accountId, issuer, subject }: Pick<Identity, 'accountId' | 'issuer' | 'subject'>,
): Promise<Identity | null> => firstRow(db, find, [accountId, issuer, subject]);

const insert = statement(
  'provider-identity.insert',
  `${identityTable.insertInto(...made)} values (${placeholders(made)})`,
);

export async function insertIdentity(db: Queryable, identity: Omit<Identity, 'shutOutAt'>): Promise<void> {
  const { id, accountId, issuer, subject, personId, name, createdAt } = identity;
  await rows(db, insert, [id, accountId, issuer, subject, personId, name, createdAt]);
}

const shutOut = statement(
  'provider-identity.shut-out',
  'update dashboard.provider_identity set shut_out_at = $2 where person_id = $1',
);

/** Whoever is this person is refused from now on, whatever their groups. Nothing for somebody who was invited. */
export async function shutOutPerson(db: Queryable, personId: string, now: Date): Promise<void> {
  await rows(db, shutOut, [personId, now]);
}

const listOut = statement<Identity & { readonly shutOutAt: Date }>(
  'provider-identity.list-out',
  `select ${columns} from ${identityTable.from} where n.account_id = $1 and n.shut_out_at is not null order by n.seq desc`,
);

export const listShutOut = (db: Queryable, accountId: string) => rows(db, listOut, [accountId]);

const letIn = statement<{ id: string }>(
  'provider-identity.let-in',
  `with erased as (delete from dashboard.provider_identity
     where account_id = $1 and id = $2 and shut_out_at is not null and name = '' returning id),
   back as (update dashboard.provider_identity set shut_out_at = null
     where account_id = $1 and id = $2 and shut_out_at is not null and name <> '' returning id)
   select id from erased union all select id from back`,
);

/** Takes it back; false when there is nobody of this id. Who was erased then comes as somebody new. */
export const letBackIn = async (db: Queryable, accountId: string, id: string): Promise<boolean> =>
  (await firstRow(db, letIn, [accountId, id])) !== null;

const names = statement<{ name: string }>(
  'provider-identity.names',
  'select name from dashboard.provider_identity where account_id = $1',
);

/**
 * Returns the names of everybody the provider ever vouched for, including those who left and may come back.
 */
export const namesOfProvider = async (db: Queryable, accountId: string): Promise<readonly string[]> =>
  (await rows(db, names, [accountId])).map(({ name }) => name);

const signedIn = statement(
  'provider-identity.signed-in',
  'update dashboard.provider_identity set signed_in_at = $2 where person_id = $1',
);

/** The provider vouches for this person now. */
export async function noteSignIn(db: Queryable, personId: string, now: Date): Promise<void> {
  await rows(db, signedIn, [personId, now]);
}

const away = statement<{ accountId: string; personId: string }>(
  'provider-identity.away',
  `update ${identityTable.from} set tried_at = $2 where n.id in (select i.id from dashboard.provider_identity i
     join dashboard.person p on p.id = i.person_id where i.signed_in_at <= $1
     order by greatest(i.tried_at, i.signed_in_at), i.seq limit 50 for update of i skip locked)
   returning ${identityTable.list('accountId', 'personId')}`,
);

/** People for whom the provider has not vouched since then, to be let go now: each gets their turn. */
export const listAway = (db: Queryable, since: Date, now: Date) => rows(db, away, [since, now]);

const stillAway = statement<{ id: string }>(
  'provider-identity.still-away',
  'select id from dashboard.provider_identity where person_id = $1 and signed_in_at <= $2',
);

export const isAway = async (db: Queryable, personId: string, since: Date): Promise<boolean> =>
  (await firstRow(db, stillAway, [personId, since])) !== null;
