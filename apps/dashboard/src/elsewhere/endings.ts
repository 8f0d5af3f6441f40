import { background } from '@countersign/service/background';
import type { Address } from '@countersign/protocol/address';
import type { Role } from '@countersign/protocol/dashboard/roles';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { inTransaction, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import type { PersonRecord } from '../people/store.ts';
import type { AssertedTo } from '@countersign/service/person-assertion';
import { type Assert, type Entrance, type No, silent } from './passes.ts';

type Ending = {
  readonly id: number;
  readonly account: Address;
  readonly person: string;
  readonly roles: readonly Role[];
};

const note = statement(
  'ending.note',
  `insert into dashboard.person_ending (account_id, person_id, roles, at) values ($1, $2, $3, $4)`,
);

/**
 * Notes that the other services must be told, in the transaction that removes somebody or changes their
 * roles. The note survives a crash.
 */
export async function noteEnding(
  db: Queryable,
  { accountId, id, roles }: Pick<PersonRecord, 'accountId' | 'id' | 'roles'>,
  now: Date,
): Promise<void> {
  await rows(db, note, [accountId, id, [...roles], now]);
}

const noteAll = statement(
  'ending.note-all',
  `insert into dashboard.person_ending (account_id, person_id, roles, at)
   select account_id, id, '{}', $2 from dashboard.person where account_id = $1`,
);

/** The same of all people of an account, who are about to be deleted. */
export async function noteEndingOfAll(db: Queryable, accountId: string, now: Date): Promise<void> {
  await rows(db, noteAll, [accountId, now]);
}

// Whoever has waited longest since they ended, or since this part was last told of them, goes first: whom it never takes holds
// up nobody. One process tells, the others pass by.
const turn = `coalesce((tried ->> $1)::bigint, extract(epoch from at) * 1000), tried ? $1, id`;
const waiting = statement<Ending>(
  'ending.waiting',
  `select e.id, a.wallet_address as account, e.person_id as person, e.roles
   from (select *, row_number() over () as place from (select * from dashboard.person_ending
           where not told @> array[$1::text] order by ${turn} limit 20 for update skip locked) taken) e
   join dashboard.account a on a.id = e.account_id order by e.place`,
);
const tried = statement(
  'ending.tried',
  'update dashboard.person_ending set tried = tried || jsonb_build_object($2::text, $3::bigint) where id = $1',
);
const toldTo = statement(
  'ending.told',
  'update dashboard.person_ending set told = told || $2::text where id = $1',
);
// This process may be configured with no part or one, and others with more: what is forgotten is what all have heard, or
// what concerns nobody after so long.
const forget = statement(
  'ending.forget',
  'delete from dashboard.person_ending where told @> $1::text[] or at < $2',
);

const allParts: readonly AssertedTo[] = ['countersign-vault', 'countersign-control-plane'];
const keptMs = 400 * 24 * 60 * 60_000;
const againMs = 5_000;

const broken: No = { code: 'broken', msg: 'it could not be told' };

/** Away, or wants to be left alone for a while. */
const isDeaf = ({ code }: No): boolean => code === silent.code || code === 'rate_limited';

/** Tells every part whose people ended, at once when `soon` is called, and until each has heard. */
export function startTellingEndings(parts: {
  readonly pool: Pool;
  readonly entrances: readonly Entrance[];
  readonly assert: Assert;
  readonly now: () => Date;
  readonly log: Logger;
}): Service & { readonly soon: () => void } {
  const { pool, entrances, assert, now, log } = parts;

  const complaints = new Map<AssertedTo, string>();
  /** Once of each reason, however often it is tried again. */
  function complain(part: AssertedTo, { code }: No): void {
    if (complaints.get(part) === code) return;
    complaints.set(part, code);
    log.warn({ part, code }, 'a part has not ended what somebody left there');
  }

  /** Null once the part has ended them. */
  async function tellOf({ to, end }: Entrance, { account, person, roles }: Ending): Promise<No | null> {
    try {
      return await end(await assert(to, { account, person, roles, name: person, session: null }, now()));
    } catch (err) {
      log.error({ part: to, err }, 'a part could not be told of somebody: it is tried again');
      return broken;
    }
  }

  const tellPart = (entrance: Entrance): Promise<void> =>
    inTransaction(pool, async (db) => {
      const { to } = entrance;
      const batch = await rows(db, waiting, [to]);
      let isRefused = false;
      for (const ending of batch) {
        await rows(db, tried, [ending.id, to, now().getTime()]);
        const refused = await tellOf(entrance, ending);
        if (refused === null) {
          await rows(db, toldTo, [ending.id, to]);
          continue;
        }
        isRefused = true;
        complain(to, refused);
        // It hears none of the others now; of another refusal the next may be free.
        if (isDeaf(refused)) return;
      }
      if (batch.length > 0 && !isRefused) complaints.delete(to);
    });

  async function tell(): Promise<void> {
    // One part after the other: each holds the rows that it is told of, and the other would pass them by.
    for (const entrance of entrances) await tellPart(entrance);
    await rows(pool, forget, [[...allParts], new Date(now().getTime() - keptMs)]);
  }

  let last: Promise<void> = Promise.resolve();
  // One at a time: a call that comes meanwhile is heard after it.
  const next = (): Promise<void> => (last = last.catch(() => {}).then(tell));
  const repeating = repeat(log, 'tell other parts who was removed', againMs, next);
  return {
    soon: () => background(log, 'tell other parts who was removed', next()),
    async stop() {
      await repeating.stop();
      await last.catch(() => {});
    },
  };
}
