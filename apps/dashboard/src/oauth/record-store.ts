import { createHash } from 'node:crypto';
import { firstRow, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import { type Adapter, errors, type Payload } from 'oidc-provider';
import { revokeGrant } from './connection-store.ts';
import { recordTable } from './record-table.ts';

type Stored = { readonly payload: Payload; readonly consumedAt: Date | null };

const put = statement(
  'oauth-record.put',
  `${recordTable.insertInto('kind', 'idHash', 'grantId', 'payload', 'createdAt', 'expiresAt')}
   values ($1, $2, $3, $4, $5, $6)
   on conflict (kind, id_hash) do update
     set grant_id = excluded.grant_id, payload = excluded.payload, expires_at = excluded.expires_at`,
);

const endEarlier = statement(
  'oauth-record.end-earlier',
  `update dashboard.oauth_record set expires_at = $4
   where kind = $1 and grant_id = $3 and id_hash <> $2 and expires_at > $4`,
);
/** So long a token still works that was renewed, for calls that are under way with it. */
const graceMs = 30_000;

const find = statement<Stored>(
  'oauth-record.find',
  `select ${recordTable.list('payload', 'consumedAt')} from ${recordTable.from}
   where r.kind = $1 and r.id_hash = $2 and (r.expires_at is null or r.expires_at > $3)`,
);

const consume = statement<{ grantId: string | null }>(
  'oauth-record.consume',
  `update ${recordTable.from} set consumed_at = $3
   where r.kind = $1 and r.id_hash = $2 and r.consumed_at is null returning ${recordTable.list('grantId')}`,
);

const grantOf = statement<{ grantId: string | null }>(
  'oauth-record.grant-of',
  `select ${recordTable.list('grantId')} from ${recordTable.from} where r.kind = $1 and r.id_hash = $2`,
);

const destroy = statement(
  'oauth-record.destroy',
  'delete from dashboard.oauth_record where kind = $1 and id_hash = $2',
);

/**
 * Where oidc-provider keeps one kind of its records: under the hash of their id, which is the code or token itself.
 * A code or refresh token is used up once, even by two requests at the same time; the second revokes what the first got.
 */
export const recordsOf =
  (pool: Pool, now: () => Date) =>
  (kind: string): Adapter =>
    kind === 'Session' ? forgetful : keptIn(pool, kind, now);

const keptIn = (pool: Pool, kind: string, now: () => Date): Adapter => ({
  async upsert(id, payload, expiresIn) {
    const time = now();
    const expiresAt = expiresIn === undefined ? null : new Date(time.getTime() + expiresIn * 1000);
    const { jti: _, ...kept } = payload;
    const grantId = kind === 'Grant' ? id : (payload['grantId'] ?? null);
    await rows(pool, put, [kind, hashOf(id), grantId, kept, time, expiresAt]);
    if (kind === 'AccessToken')
      await rows(pool, endEarlier, [kind, hashOf(id), grantId, new Date(time.getTime() + graceMs)]);
  },
  async find(id) {
    const found = await firstRow(pool, find, [kind, hashOf(id), now()]);
    if (found === null) return undefined;
    const { payload, consumedAt } = found;
    return {
      ...payload,
      ...(kind !== 'Client' && { jti: id }),
      ...(consumedAt !== null && { consumed: Math.floor(consumedAt.getTime() / 1000) }),
    };
  },
  async consume(id) {
    if ((await firstRow(pool, consume, [kind, hashOf(id), now()])) !== null) return;
    const grantId = (await firstRow(pool, grantOf, [kind, hashOf(id)]))?.grantId ?? null;
    if (grantId !== null) await revokeGrant(pool, grantId, now());
    throw new errors.InvalidGrant('used twice at the same time');
  },
  destroy: (id) => destroyRecord(pool, kind, id, now),
  revokeByGrantId: (grantId) => revokeGrant(pool, grantId, now()),
  findByUid: () => Promise.resolve(undefined),
  findByUserCode: () => Promise.resolve(undefined),
});

async function destroyRecord(db: Queryable, kind: string, id: string, now: () => Date): Promise<void> {
  if (kind === 'Grant') return revokeGrant(db, id, now());
  await rows(db, destroy, [kind, hashOf(id)]);
}

/** SHA-256 of what a client shows, under which it is kept. */
export const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

/** Sessions of oidc-provider are not kept: who is signed in is known by the dashboard's own session. */
const forgetful: Adapter = {
  upsert: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  findByUid: () => Promise.resolve(undefined),
  findByUserCode: () => Promise.resolve(undefined),
  consume: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
  revokeByGrantId: () => Promise.resolve(),
};
