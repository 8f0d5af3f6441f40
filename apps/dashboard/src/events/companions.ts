import { type Pool, rows, statement } from '@countersign/service/sql';

/** The processes that listen on this database, each by the name of the connection on which it does. */
export type Companions = {
  /** Notes that a companion has announced itself. */
  readonly met: (name: string) => void;
  /** Returns whether one that was there is gone: it may have committed something that it never told. */
  readonly lostOne: () => Promise<boolean>;
};

/** Prefix of such a connection's name, as PostgreSQL shows it to other clients. */
export const namePrefix = 'countersign events';

const living = statement<{ name: string }>(
  'events.listeners',
  `select application_name as name from pg_stat_activity
   where datname = current_database() and starts_with(application_name, '${namePrefix}')`,
);

/** Nobody is known before the first look. */
export function createCompanions(pool: Pool): Companions {
  const known = new Set<string>();
  return {
    met: (name) => void known.add(name),
    async lostOne() {
      const now = new Set((await rows(pool, living, [])).map(({ name }) => name));
      const gone = [...known].filter((name) => !now.has(name));
      for (const name of gone) known.delete(name);
      for (const name of now) known.add(name);
      return gone.length > 0;
    },
  };
}
