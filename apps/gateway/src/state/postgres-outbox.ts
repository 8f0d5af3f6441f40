import type { Address } from '@countersign/protocol/address';
import { type Pool, rows, statement } from '@countersign/service/sql';
import { namedForMs, unnamedForMs } from './forget.ts';
import type { StatePort } from '../ports/state.ts';
import { leaseMs, type OutboxStore, type StoredReport } from './outbox.ts';
import type { Reporting } from './state.ts';

const add = statement(
  'gateway.report',
  `with resolved as (
     update gateway.payment set unresolved = false where wallet = $1 and nonce = $3 and unresolved
   )
   insert into gateway.report (wallet, report, nonce, holder, held_until) values ($1, $2, $3, $4, $5)`,
);

const addUnresolved = statement(
  'gateway.report-unresolved',
  `with resolved as (
     update gateway.payment set unresolved = false
       where wallet = $1 and nonce = $3 and opened_at = $6 and unresolved returning 1
   )
   insert into gateway.report (wallet, report, nonce, holder, held_until)
     select $1, $2, $3, $4, $5 where exists (select from resolved)`,
);

// What another process takes at this very moment is passed over. The oldest first, whatever order they come back in.
const take = statement<StoredReport>(
  'gateway.pending',
  `with taken as (
     update gateway.report set holder = $2, held_until = $4 where id in (
       select id from gateway.report where wallet = $1 and parked is null and (holder = $2 or held_until <= $3)
       order by id limit $5 for update skip locked
     ) returning id, report, nonce
   )
   select id::text as id, report, nonce from taken order by taken.id`,
);

const remove = statement(
  'gateway.delivered',
  `with closed as (
     update gateway.payment p set amount = least(opened.amount, $5::numeric), closed_at = $4,
         forget_at = $4 + case when p.call_key is null then ${unnamedForMs} else ${namedForMs} end
       from gateway.payment opened
       where p.wallet = $1 and p.nonce = $3 and opened.wallet = p.wallet and opened.nonce = p.nonce
       returning p.mandate_id, opened.amount - p.amount as unspent
   ), given_back as (
     update gateway.spent s set amount = s.amount - closed.unspent
       from closed where s.wallet = $1 and s.mandate_id = closed.mandate_id and closed.unspent > 0
   )
   delete from gateway.report where wallet = $1 and id = $2`,
);
const setAside = statement(
  'gateway.park',
  'update gateway.report set parked = $3 where wallet = $1 and id = $2',
);
const holdBack = statement(
  'gateway.postpone',
  `update gateway.report set holder = '', held_until = $3 where wallet = $1 and id = $2`,
);
const letGo = statement(
  'gateway.let-go',
  'update gateway.report set held_until = 0 where wallet = $1 and holder = $2',
);

type PostgresOutbox = OutboxStore &
  Reporting &
  Pick<StatePort, 'reportUnresolved'> & { readonly release: () => Promise<void> };

/** The outbox in PostgreSQL. `self` names this process; `now` is Unix ms by the database's clock. */
export function postgresOutbox(pool: Pool, wallet: Address, self: string, now: () => number): PostgresOutbox {
  const listeners: (() => void)[] = [];
  return {
    async report(report, nonce) {
      await rows(pool, add, [wallet, JSON.stringify(report), nonce, self, now() + leaseMs]);
      for (const listener of listeners) listener();
    },
    async reportUnresolved(report, { nonce, openedAt }) {
      const asked = [wallet, JSON.stringify(report), nonce, self, now() + leaseMs, openedAt];
      await rows(pool, addUnresolved, asked);
      for (const listener of listeners) listener();
    },
    reportWithin: null,
    onReport: (listener) => void listeners.push(listener),
    pending: (limit) => rows(pool, take, [wallet, self, now(), now() + leaseMs, limit]),
    async delivered({ id, nonce, report }) {
      await rows(pool, remove, [wallet, id, nonce, now(), report.amount ?? null]);
    },
    async postpone({ id }, forMs) {
      await rows(pool, holdBack, [wallet, id, now() + forMs]);
    },
    async park({ id }, why) {
      await rows(pool, setAside, [wallet, id, why]);
    },
    async release() {
      await rows(pool, letGo, [wallet, self]);
    },
  };
}
