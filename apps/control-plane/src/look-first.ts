import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { refusal } from './refusal.ts';

/**
 * Looks at what takes its time while there is no transaction, which would keep a connection and locks meanwhile. `act` then compares
 * inside a transaction what it finds with what was looked at, and gives null where that has changed: so it is looked at once more, and
 * then it is a conflict, with these words.
 */
export async function lookFirst<Looked, T>(
  pool: Pool,
  look: () => Promise<Looked>,
  act: (db: Queryable, looked: Looked) => Promise<T | null>,
  whatChanged: string,
): Promise<T | ReturnType<typeof refusal>> {
  const attempt = async () => {
    const looked = await look();
    return inTransaction(pool, (db) => act(db, looked));
  };
  return (await attempt()) ?? (await attempt()) ?? refusal('conflict', `${whatChanged}: try again`);
}
