import { randomUUID } from 'node:crypto';
import type { Database } from '@countersign/service/database';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { schemasHere } from '../../test/schemas-here.ts';
import {
  addHttpConnector,
  scriptedEnclave,
  startDatabase,
  startProcess,
  tenantWith,
} from '../../test/scripted-enclave.ts';
import type { Caller } from '../callers.ts';
import type { Misfit } from '../connectors/check-params.ts';
import type { Schemas } from '../schemas/run-task.ts';
import { fairTurns } from '../schemas/turns.ts';
import { enqueue } from './queue.ts';
import { runExecution } from './run.ts';
import { findExecution, queueExecution } from './store.ts';

const cedar = 'permit(principal, action, resource) when { context.hitl_confirmed };';
let database: Database;
const scripted = scriptedEnclave();
beforeAll(async () => {
  database = await startDatabase(inject('databaseUrl'));
});
afterAll(() => database?.close());

async function started(schemas?: Schemas) {
  const one = await startProcess(database.pool, scripted, schemas);
  onTestFinished(() => one.stop());
  return one;
}
type Process = Awaited<ReturnType<typeof started>>;
const idOf = (answer: object) => (answer as { value: { execution_id: string } }).value.execution_id;

/** An execution of an action whose body has a schema, which a person is asked about. */
async function waiting(by: Process, caller: Caller): Promise<string> {
  const answer = await by.ask(caller, randomUUID(), { mode: 'async' });
  expect(answer).toMatchObject({ value: { status: 'pending_hitl' } });
  return idOf(answer);
}
async function approve(by: Process, id: string): Promise<void> {
  const queued = await queueExecution(database.pool, { id, lease: null });
  if (queued !== null) await enqueue(database.pool, by.parts.jobs, queued);
}

test('a tenant whose schemas take all turns keeps no worker from others: it is looked at again when its turn may be next [control-plane.execution.schema-worker]', async () => {
  const caller = await tenantWith(database.pool, { cedar });
  await addHttpConnector(database.pool, caller.tenantId);
  const before = await started();
  const ids: string[] = [];
  while (ids.length < 8) ids.push(await waiting(before, caller));
  await before.stop();

  const takeTurn = fairTurns(100);
  const here = schemasHere();
  let end = () => {};
  const refused: unknown[] = [];
  const after = await started(async (tenantId, work, patience) => {
    const turn = takeTurn(tenantId, () => here(tenantId, work), patience);
    if (turn === null) refused.push(patience);
    return turn;
  });
  const slow = takeTurn(caller.tenantId, () => new Promise<void>((resolve) => (end = resolve)));
  for (const id of ids) await approve(after, id);
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(ids.length);
  const other = await tenantWith(database.pool);
  expect(await after.ask(other, 'k', {})).toMatchObject({ value: { status: 'completed' } });
  end();
  await slow;
  for (const id of ids) {
    const found = await findExecution(database.pool, caller.tenantId, id);
    const ended = found && (await after.parts.waitForEnd(found, 60_000));
    expect(ended).toMatchObject({ status: 'completed' });
  }
});

test.each<[Misfit['kind'], number]>([
  ['slow', 30_000],
  ['busy', 2_000],
])(
  'what waits because its schema is %s is looked at again, and ends after some minutes, by no fault of its params [control-plane.execution.schema-time]',
  async (kind, againMs) => {
    const caller = await tenantWith(database.pool, { cedar });
    await addHttpConnector(database.pool, caller.tenantId);
    const { parts, ...rest } = await started();
    const id = await waiting({ parts, ...rest }, caller);
    await queueExecution(database.pool, { id, lease: null });
    const read = () => findExecution(database.pool, caller.tenantId, id);
    const createdAt = (await read())?.createdAt.getTime() ?? 0;
    const added: [number | undefined, Record<string, string>][] = [];
    const lookAt = (later: number) => {
      const jobs: Pick<typeof parts.jobs, 'add'> = {
        add: async (_db, _queue, data, when) =>
          void added.push([when?.at && when.at.getTime() - createdAt, data]),
      };
      const checkParams = async () => ({ kind, why: '' });
      const now = () => new Date(createdAt + later);
      const about = added.at(-1)?.[1] ?? { tenantId: caller.tenantId, executionId: id };
      return runExecution({ ...parts, jobs, checkParams, now })(about);
    };
    // However late the first look is, as after an outage, it is given its time from then on.
    const first = 3_600_000;
    for (const later of [first, first + 299_999]) {
      await lookAt(later);
      expect(await read()).toMatchObject({ status: 'pending' });
      expect(added.at(-1)).toMatchObject([later + againMs, { executionId: id }]);
    }
    await lookAt(first + 300_000);
    expect(added).toHaveLength(2);
    expect(await read()).toMatchObject({
      status: 'failed',
      problem: {
        code: 'schema_check_unavailable',
        message: expect.stringMatching(/in time.*nothing was sent; try again with a new Idempotency-Key$/),
      },
    });
  },
);
