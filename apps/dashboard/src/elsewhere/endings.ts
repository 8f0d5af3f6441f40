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

/** In the transaction that removes somebody or changes their roles: the other parts will be told, whatever happens to us. */
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

// One process tells, in order; the others pass by.
const waiting = statement<Ending>(
  'ending.waiting',
  `select e.id, a.wallet_address as account, e.person_id as person, e.roles
   from (select * from dashboard.person_ending where not told @> array[$1::text] order by id limit 20
         for update skip locked) e join dashboard.account a on a.id = e.account_id order by e.id`,
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

  const tellPart = (entrance: Entrance): Promise<void> =>
    inTransaction(pool, async (db) => {
      for (const { id, ...about } of await rows(db, waiting, [entrance.to])) {
        const assertion = await assert(entrance.to, { ...about, name: about.person, session: null }, now());
        const refused = await entrance.end(assertion);
        if (refused !== null) {
          complain(entrance.to, refused);
          // One that does not respond hears none of them; of another refusal the next may be free.
          if (refused.code === silent.code) return;
          continue;
        }
        complaints.delete(entrance.to);
        await rows(db, toldTo, [id, entrance.to]);
      }
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
