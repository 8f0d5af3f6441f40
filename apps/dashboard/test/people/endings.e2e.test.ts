import { createLogger } from '@countersign/service/logger';
import type { AssertedTo } from '@countersign/service/person-assertion';
import { createPool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTellingEndings } from '../../src/elsewhere/endings.ts';
import type { Entrance, No } from '../../src/elsewhere/passes.ts';
import { openDashboard, type TestDashboard } from '../dashboard.ts';
import { urlOf } from '../personal-data.ts';
import { peopleCalls } from './people.ts';

let dashboard: TestDashboard;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  // It has no SIGN_IN_KEY, and knows neither vault nor control plane.
  dashboard = await openDashboard();
  pool = createPool(urlOf(dashboard), createLogger('dashboard', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await dashboard.stop();
});

/** A part that is told whom; null: it ends them. */
function part(to: AssertedTo, answer: (person: string) => Promise<No | null>) {
  const heard: string[] = [];
  const entrance: Entrance = {
    to,
    enter: () => Promise.reject(new Error('nobody enters')),
    leave: async () => null,
    end: (person) => {
      heard.push(person);
      return answer(person);
    },
  };
  return { heard, entrance };
}
const vault = (answer: () => Promise<No | null>) => part('countersign-vault', answer);
const control = (answer: () => Promise<No | null>) => part('countersign-control-plane', answer);
const refusing = async () => ({ code: 'unauthorized', msg: 'no' });
const ending = async () => null;

/** One round of a process that knows these parts. */
async function tellOnce(entrances: readonly Entrance[], now = () => dashboard.clock.now) {
  const assert = async (_: AssertedTo, { person }: { person: string }) => person;
  const telling = startTellingEndings({
    pool,
    entrances,
    assert,
    now,
    log: createLogger('dashboard', 'silent'),
  });
  await telling.stop();
}

const kept = async () =>
  (
    await pool.query<{ person: string }>(
      'select person_id as person from dashboard.person_ending order by id',
    )
  ).rows.map(({ person }) => person);

/** People who were removed at once, in this order. */
async function removedAtOnce(ids: readonly string[]): Promise<void> {
  const { account } = await dashboard.newAccount();
  await pool.query(
    `insert into dashboard.person_ending (account_id, person_id, roles, at) select $1, p, '{}', $3 from unnest($2::text[]) p`,
    [account.id, ids, dashboard.clock.now],
  );
}
const stuck = Array.from({ length: 25 }, (_, i) => `stuck${i}`);

async function newlyRemoved(): Promise<string> {
  const people = peopleCalls(dashboard);
  const owner = await dashboard.newAccount();
  const { id } = await people.newPerson(owner, ['auditor']);
  expect(await people.remove(owner.token, id)).toMatchObject({ status: 200 });
  return id;
}

test('an ending is kept until both kinds of part have heard it, whatever parts a process knows [system.one-sign-in.ends]', async () => {
  const id = await newlyRemoved();
  await tellOnce([]);
  expect(await kept()).toEqual([id]);
  const first = vault(ending);
  await tellOnce([first.entrance]);
  expect([first.heard, await kept()]).toEqual([[id], [id]]);
  const other = control(refusing);
  await tellOnce([first.entrance, other.entrance]);
  expect([new Set(first.heard), new Set(other.heard), await kept()]).toEqual([
    new Set([id]),
    new Set([id]),
    [id],
  ]);
  await tellOnce([first.entrance, control(ending).entrance]);
  expect(await kept()).toEqual([]);
});

test('a vault that hears nothing keeps the control plane from hearing nothing [system.one-sign-in.ends]', async () => {
  const id = await newlyRemoved();
  const [away, there] = [vault(refusing), control(ending)];
  await tellOnce([away.entrance, there.entrance]);
  expect([there.heard, await kept()]).toEqual([[id], [id]]);
  // What nobody took for more than a year is no one's concern.
  await tellOnce([], () => new Date(dashboard.clock.now.getTime() + 401 * 24 * 60 * 60_000));
  expect(await kept()).toEqual([]);
});

test('25 whom a part never ends hold up nobody behind them for longer than two rounds [system.one-sign-in.ends]', async () => {
  await removedAtOnce([...stuck, 'last']);
  const answer = async (person: string) => {
    if (person === 'last') return null;
    if (person.endsWith('7')) throw new Error('it broke');
    return refusing();
  };
  const parts = [part('countersign-vault', answer), part('countersign-control-plane', answer)];
  const entrances = parts.map(({ entrance }) => entrance);
  await tellOnce(entrances);
  // Control: they fill the first round.
  for (const { heard } of parts) expect(heard).not.toContain('last');
  await tellOnce(entrances);
  for (const { heard } of parts) expect(new Set(heard)).toEqual(new Set([...stuck, 'last']));
  expect(new Set(await kept())).toEqual(new Set(stuck));
  await tellOnce([vault(ending).entrance, control(ending).entrance]);
  await tellOnce([vault(ending).entrance, control(ending).entrance]);
  expect(await kept()).toEqual([]);
});

test('a part that is away or wants to be left alone is told of one at a time, of each in turn [system.one-sign-in.ends]', async () => {
  await removedAtOnce(['one', 'two', 'three']);
  for (const code of ['rate_limited', 'silent']) {
    const deaf = vault(async () => ({ code, msg: 'not now' }));
    const heardAfter = async () => {
      dashboard.clock.advance(5_000);
      await tellOnce([deaf.entrance]);
      return [...deaf.heard];
    };
    expect(await heardAfter()).toHaveLength(1);
    await heardAfter();
    expect(new Set(await heardAfter())).toEqual(new Set(['one', 'two', 'three']));
  }
  await tellOnce([vault(ending).entrance, control(ending).entrance]);
});
