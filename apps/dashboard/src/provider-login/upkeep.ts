import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Tell } from '../events/notice.ts';
import { findPerson, lockPeople } from '../people/store.ts';
import { letGo } from './come-in.ts';
import { isAway, listAway } from './identity-store.ts';
import { openSince } from './open-since.ts';

type Parts = {
  readonly pool: Pool;
  readonly awayMs: number;
  readonly now: () => Date;
  readonly tell: Tell;
  /**
   * Returns whether the provider would let people sign in now; true where there is none, since nobody will
   * come back.
   */
  readonly answers: () => Promise<boolean>;
};

const everyMs = 60_000;

/** Lets people go for whom the provider no longer vouches, also where no provider is configured any more. */
export const startLettingGo = (parts: Parts, log: Logger): Service =>
  repeat(log, 'let people go who are away from the provider', everyMs, () => letGoWhoIsAway(parts, log));

/**
 * Whoever is disabled at the provider is told to nobody here: their keys, clients and tokens would go on. So all of it ends
 * once they have not signed in for so long, in which they could have. Who comes back is the same person.
 */
export async function letGoWhoIsAway(
  { pool, awayMs, now, tell, answers }: Parts,
  log: Logger,
): Promise<void> {
  const since = new Date(now().getTime() - awayMs);
  const open = await openSince(pool, answers, now());
  if (open === null || open > since) return;
  for (const { accountId, personId } of await listAway(pool, since, now())) {
    // One who cannot be let go holds up nobody else.
    const ended = await inTransaction(pool, async (db) => {
      await lockPeople(db, accountId);
      const person = await findPerson(db, accountId, personId);
      // They may have come in meanwhile.
      if (person === null || !(await isAway(db, personId, since))) return null;
      return letGo(db, person, 'providerAway', now());
    }).catch((err: unknown) => {
      log.error({ person: personId, err }, 'somebody who is away could not be let go: it is tried again');
      return null;
    });
    if (ended === null) continue;
    tell({ kind: 'person', id: personId, to: [] });
    for (const id of ended) tell({ kind: 'session', id, to: [accountId] });
  }
}
