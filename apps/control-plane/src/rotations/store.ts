import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import type { Rotation, RotationState } from '@countersign/protocol/control/rotation';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { bytesOf } from '../credentials/store.ts';
import { isOpen } from './life.ts';

/** A rotation as it stands in the tables. */
export type StoredRotation = {
  readonly id: string;
  readonly tenantId: string;
  readonly credentialId: string;
  readonly state: RotationState;
  readonly connectorId: string;
  readonly executionId: string;
  /** The newest check; null while it is still to be asked for. */
  readonly checkId: string | null;
  readonly fingerprint: string;
  readonly serviceId: string;
  readonly type: Binding['type'];
  readonly version: number;
  readonly createdBy: string;
  readonly createdByKey: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

type Row = StoredRotation & {
  readonly root: number | null;
} & Record<'salt' | 'nonce' | 'ciphertext', Buffer | null>;

const made = [
  'version',
  'credentialId',
  'id',
  'tenantId',
  'connectorId',
  'executionId',
  'fingerprint',
  'serviceId',
  'type',
  'createdBy',
  'createdByKey',
  'createdAt',
] as const;
const later = ['state', 'checkId', 'endedAt'] as const;
/** Columns in the order of `bytesOf`. */
const sealedFields = ['root', 'salt', 'nonce', 'ciphertext'] as const;
const table = sqlTable('control_plane.rotation', 'r', [...made, ...later, ...sealedFields]);
const columns = table.list(...made, ...later);
const sealed = table.list(...sealedFields);

const insert = statement(
  'rotation.insert',
  `with newest as (update control_plane.credential set newest_version = $1 where id = $2)
   ${table.insertInto(...made, ...sealedFields, 'state')}
   values (${placeholders([...made, ...sealedFields])}, 'running')`,
);

export type NewRotation = Omit<StoredRotation, 'state' | 'checkId' | 'endedAt'>;

/**
 * Stores the next value beside the current one, in a transaction that holds the credential. The credential
 * must have no open rotation.
 */
export async function insertRotation(db: Queryable, one: NewRotation, envelope: Envelope): Promise<void> {
  await rows(db, insert, [...made.map((field) => one[field]), ...bytesOf(envelope)]);
}

const findOf = statement<StoredRotation>(
  'rotation.of-execution',
  `select ${columns} from ${table.from}
   where r.execution_id = $1 or r.check_id = $1`,
);

/** The rotation that an execution is the operation or a check of; null for any other execution. */
export const rotationOf = (db: Queryable, executionId: string): Promise<StoredRotation | null> =>
  firstRow(db, findOf, [executionId]);

const hold = statement<StoredRotation>(
  'rotation.hold',
  `select ${columns} from ${table.from} where r.credential_id = $1 and r.id = $2 for update`,
);

/** Locks a rotation, in a transaction that holds its credential. */
export const holdRotation = (
  db: Queryable,
  credentialId: string,
  id: string,
): Promise<StoredRotation | null> => firstRow(db, hold, [credentialId, id]);

const holdOfCredential = statement<StoredRotation>(
  'rotation.hold-open',
  `select ${columns} from ${table.from} where r.credential_id = $1 and r.ended_at is null for update`,
);

/** Returns the credential's open rotation, in a transaction that holds the credential. */
export const holdOpen = (db: Queryable, credentialId: string): Promise<StoredRotation | null> =>
  firstRow(db, holdOfCredential, [credentialId]);

const next = statement<Row>(
  'rotation.next',
  `select ${columns}, ${sealed} from ${table.from} where r.id = $1`,
);

/** The next value as it is sealed; null once it is in use or dropped. */
export async function nextValueOf(
  db: Queryable,
  rotationId: string,
): Promise<{ readonly binding: Binding; readonly envelope: Envelope } | null> {
  const found = await firstRow(db, next, [rotationId]);
  if (found === null || found.root === null) return null;
  const { tenantId, credentialId, serviceId, type, version, root } = found;
  const [salt = '', nonce = '', ciphertext = ''] = [found.salt, found.nonce, found.ciphertext].map(
    (bytes) => bytes?.toString('base64') ?? '',
  );
  return {
    binding: { tenantId, credentialId, serviceId, type, version },
    envelope: { root, salt, nonce, ciphertext },
  };
}

const set = statement<StoredRotation>(
  'rotation.set-state',
  `update control_plane.rotation r set state = $2, check_id = case when $2 = 'checking' then null else check_id end where r.id = $1 returning ${columns}`,
);
const end = statement<StoredRotation>(
  'rotation.end',
  `update control_plane.rotation r set state = $2, ended_at = $3, root = null, salt = null, nonce = null, ciphertext = null
   where r.id = $1 returning ${columns}`,
);

/** Sets the state, in a transaction that holds the rotation. Ending a rotation deletes its value here. */
export async function setState(
  db: Queryable,
  { id }: StoredRotation,
  state: RotationState,
  now: Date,
): Promise<StoredRotation> {
  const changed = await (isOpen(state)
    ? firstRow(db, set, [id, state])
    : firstRow(db, end, [id, state, now]));
  if (changed === null) throw new Error('a rotation that is held is gone');
  return changed;
}

const toCheck = statement<StoredRotation>(
  'rotation.to-check',
  `select ${columns} from ${table.from}
   where r.state = 'checking' and r.check_id is null order by r.seq limit 20`,
);

/** Some that wait for a check that nobody has asked for yet. */
export const rotationsToCheck = (db: Queryable): Promise<readonly StoredRotation[]> => rows(db, toCheck, []);

const note = statement(
  'rotation.note-check',
  'update control_plane.rotation set check_id = $2 where id = $1',
);

/** Notes which execution checks the next value, in a transaction that holds the rotation. */
export async function noteCheck(db: Queryable, { id }: StoredRotation, executionId: string): Promise<void> {
  await rows(db, note, [id, executionId]);
}

const list = statement<StoredRotation>(
  'rotation.list',
  `select ${columns} from ${table.from} where r.credential_id = $1 order by r.seq desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'rotation.count',
  'select count(*) as total from control_plane.rotation where credential_id = $1',
);

/** Newest first. */
export async function listRotations(
  db: Queryable,
  credentialId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly StoredRotation[]; readonly total: number }> {
  const [items, counted] = await Promise.all([
    rows(db, list, [credentialId, limit, offset]),
    firstRow(db, count, [credentialId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

export const showRotation = (one: StoredRotation): Rotation => ({
  rotation_id: one.id,
  credential_id: one.credentialId,
  state: one.state,
  version: one.version,
  fingerprint: one.fingerprint,
  execution_id: one.executionId,
  check_id: one.checkId,
  created_by: one.createdBy,
  created_at: one.createdAt.toISOString(),
  ended_at: one.endedAt?.toISOString() ?? null,
});
