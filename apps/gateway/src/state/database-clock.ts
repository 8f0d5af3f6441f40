import { firstRow, type Queryable, statement } from '@countersign/service/sql';

/** Unix ms by the database's clock, which all gateways have in common. The truth lies between the two. */
export type DatabaseClock = {
  readonly earliest: (local: number) => number;
  readonly latest: (local: number) => number;
};

const ask = statement<{ now: number }>(
  'gateway.clock',
  'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
);

/** Measures how far the local clock is off. Both are taken to run at one speed from then on. */
export async function readDatabaseClock(db: Queryable, now: () => number): Promise<DatabaseClock> {
  // The first query of a connection is slow, and would widen the range.
  await firstRow(db, ask, []);
  const before = now();
  const answer = await firstRow(db, ask, []);
  const after = now();
  const there = answer?.now ?? after;
  return {
    earliest: (local) => local + there - after,
    latest: (local) => local + there - before,
  };
}
