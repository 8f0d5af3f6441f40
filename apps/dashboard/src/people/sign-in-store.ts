import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { personTable } from './store.ts';

type Owner = { readonly accountId: string; readonly personId: string };
const ownerColumns = `p.id as "personId", ${personTable.list('accountId')}`;

const byName = statement<Owner & { readonly passwordHash: string }>(
  'sign-in.by-name',
  `select ${ownerColumns}, ${personTable.list('passwordHash')} from ${personTable.from} where p.user_name = $1`,
);

/** Whose user name this is. */
export const findByUserName = (db: Queryable, userName: string) => firstRow(db, byName, [userName]);

/** The credential of a sign-in: the hash of a password, or a passkey. */
export type Shown = { readonly passwordHash: string } | { readonly credentialId: string };

const isTheirs = statement<Owner>(
  'sign-in.is-theirs',
  `select ${ownerColumns} from ${personTable.from}
   where p.id = $1 and (p.password_hash = $2
     or exists (select from dashboard.passkey k where k.person_id = p.id and k.credential_id = $3))`,
);

/** Returns whether it is still what they sign in with: it may have been replaced while it was checked. */
export async function isStillTheirs(db: Queryable, personId: string, shown: Shown): Promise<boolean> {
  const [hash, id] = 'passwordHash' in shown ? [shown.passwordHash, null] : [null, shown.credentialId];
  return (await firstRow(db, isTheirs, [personId, hash, id])) !== null;
}

const setPassword = statement<{ id: string }>(
  'sign-in.password',
  `update dashboard.person set user_name = $2, password_hash = $3
   where id = $1 and not exists (select from dashboard.person where user_name = $2 and id <> $1) returning id`,
);

/** Sets user name and password; false when the name is somebody else's. */
export const setUserName = async (
  db: Queryable,
  id: string,
  userName: string,
  passwordHash: string,
): Promise<boolean> => (await firstRow(db, setPassword, [id, userName, passwordHash])) !== null;

const forget = statement(
  'sign-in.forget',
  `with keys as (delete from dashboard.passkey where person_id = $1)
   update dashboard.person set user_name = null, password_hash = null where id = $1`,
);

/** Forgets how somebody signed in. */
export async function forgetSignIn(db: Queryable, id: string): Promise<void> {
  await rows(db, forget, [id]);
}

export type Passkey = {
  readonly credentialId: string;
  readonly rpId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
};

const made = ['credentialId', 'personId', 'rpId', 'publicKey', 'counter', 'createdAt'] as const;
const passkeyTable = sqlTable('dashboard.passkey', 'k', made);

const insert = statement<{ id: string }>(
  'passkey.insert',
  `${passkeyTable.insertInto(...made)} values (${placeholders(made)}) on conflict do nothing returning credential_id as id`,
);

/** Keeps a passkey; false when that credential is known already. */
export const insertPasskey = async (
  db: Queryable,
  personId: string,
  { credentialId, rpId, publicKey, counter }: Passkey,
  now: Date,
): Promise<boolean> =>
  (await firstRow(db, insert, [credentialId, personId, rpId, publicKey, counter, now])) !== null;

const find = statement<Passkey & Owner>(
  'passkey.find',
  `select ${passkeyTable.list('credentialId', 'rpId', 'publicKey')}, k.counter::int8 as counter, ${ownerColumns}
   from ${passkeyTable.from} join ${personTable.from} on p.id = k.person_id where k.credential_id = $1`,
);

export const findPasskey = (db: Queryable, credentialId: string) => firstRow(db, find, [credentialId]);

// Two uses that show the same count are one key and its copy. Many authenticators count nothing and say zero.
const count = statement<{ id: string }>(
  'passkey.count',
  `update dashboard.passkey set counter = $2 where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
   returning credential_id as id`,
);

/** Notes a use by its counter; false when that went back or stands still, which a copied key gives away. */
export const notePasskeyUse = async (
  db: Queryable,
  credentialId: string,
  counter: number,
): Promise<boolean> => (await firstRow(db, count, [credentialId, counter])) !== null;
