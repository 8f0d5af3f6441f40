import { createHash } from 'node:crypto';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { firstRow, type Pool, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { bytesOf, withoutContent } from '../calls/kept.ts';
import type { CallsState, Claimed } from '../ports/calls.ts';
import { claimMs } from './forget.ts';

/** Agents choose these: any length, and characters that no text column takes. */
export const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

const fields = ['wallet', 'key', 'callHash', 'envelope', 'bytes', 'forgetAt'] as const;
const callTable = sqlTable('gateway.call', 'c', fields);

const recall = statement<{ callHash: string; envelope: GatewayEnvelope }>(
  'gateway.recall',
  `select ${callTable.list('callHash', 'envelope')} from ${callTable.from} where c.wallet = $1 and c.key = $2`,
);
const remember = statement(
  'gateway.remember',
  `${callTable.insertInto(...fields)} values (${placeholders(fields)})
   on conflict (wallet, key) do update set call_hash = excluded.call_hash, envelope = excluded.envelope,
     bytes = excluded.bytes, forget_at = excluded.forget_at`,
);
const claim = statement<{ outcome: Claimed['kind']; answer: GatewayEnvelope }>(
  'gateway.claim',
  'select outcome, answer from gateway.claim_call($1, $2, $3, $4, $5, $6)',
);
const isClaimed = statement(
  'gateway.is-claimed',
  'select from gateway.claim where wallet = $1 and key = $2 and held_until > $3',
);
const renew = statement(
  'gateway.renew',
  'update gateway.claim set held_until = $4 where wallet = $1 and holder = $2 and key = any($3)',
);
const release = statement(
  'gateway.release',
  'delete from gateway.claim where wallet = $1 and key = $2 and holder = $3',
);
const offer = statement(
  'gateway.offer',
  `insert into gateway.offer (wallet, identity, name, until) values ($1, $2, $3, $4)
   on conflict (wallet, identity, name) do update set until = excluded.until`,
);
const adopt = statement<{ name: string }>(
  'gateway.adopt',
  `delete from gateway.offer where wallet = $1 and identity = $2 and name = (
     select name from gateway.offer where wallet = $1 and identity = $2 and until > $3
     order by until limit 1 for update skip locked
   ) returning name`,
);

/** Running calls and kept answers in PostgreSQL. `now` is Unix ms by the clock of the database. */
export function postgresCalls(pool: Pool, wallet: string, now: () => number, self: string): CallsState {
  const keep: CallsState['remember'] = async (key, callHash, envelope, forMs) => {
    const text = JSON.stringify(envelope);
    await rows(pool, remember, [wallet, hash(key), callHash, text, bytesOf(envelope), now() + forMs]);
  };
  const hold: CallsState['claim'] = async (key, callHash) => {
    const moment = now();
    const asked = [wallet, hash(key), callHash, self, moment, moment + claimMs];
    const claimed = await firstRow(pool, claim, asked);
    if (claimed === null) throw new Error('a function gave no row');
    const { outcome, answer } = claimed;
    return outcome === 'answered' ? { kind: outcome, answer } : { kind: outcome };
  };
  return {
    async recall(key, callHash) {
      const stored = await firstRow(pool, recall, [wallet, hash(key)]);
      if (stored === null) return 'new';
      return stored.callHash === callHash ? stored.envelope : 'conflict';
    },
    remember: keep,
    claim: hold,
    isClaimed: async (key) => (await rows(pool, isClaimed, [wallet, hash(key), now()])).length > 0,
    async renew(keys) {
      await rows(pool, renew, [wallet, self, keys.map(hash), now() + claimMs]);
    },
    async release(key) {
      await rows(pool, release, [wallet, hash(key), self]);
    },
    async offer(identity, name, forMs, kept) {
      // Offered last: who takes it finds the answer, or who has it.
      if (kept?.isRunning === true) await hold(name, kept.callHash);
      if (kept !== null) await keep(name, kept.callHash, kept.envelope, kept.keptForMs);
      await rows(pool, offer, [wallet, identity, name, now() + forMs]);
    },
    adopt: async (identity) => (await firstRow(pool, adopt, [wallet, identity, now()]))?.name ?? null,
  };
}

const tooMany = statement<{ key: Buffer; callHash: string; envelope: GatewayEnvelope }>(
  'gateway.kept-too-many',
  `select ${callTable.list('key', 'callHash', 'envelope')} from ${callTable.from}
   join (
     select key, sum(bytes) over (order by forget_at desc, key) as together
     from gateway.call where wallet = $1 and bytes > 0
   ) newer on newer.key = c.key
   where c.wallet = $1 and newer.together > $2 and c.envelope -> 'detail' ->> 'downstreamContent' is not null
   order by c.forget_at limit $3`,
);
const shorten = statement(
  'gateway.shorten',
  'update gateway.call set envelope = $3, bytes = $4 where wallet = $1 and key = $2',
);

/** Lets the content of at most `limit` answers go, of those that are forgotten soonest, while all are too large. */
export async function makeRoom(pool: Pool, wallet: string, limit: number, maxBytes: number): Promise<void> {
  for (const { key, envelope } of await rows(pool, tooMany, [wallet, maxBytes, limit])) {
    const left = withoutContent(envelope);
    await rows(pool, shorten, [wallet, key, JSON.stringify(left), bytesOf(left)]);
  }
}
