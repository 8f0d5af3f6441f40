import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitedThread } from './limited-thread.ts';
import type { Schemas } from './run-task.ts';

const programs = join(import.meta.dirname, '../../test/threads');

test('a thread that ended by itself is made anew once, and one that cannot start is no fault of a schema [control-plane.connector.schema-time]', async () => {
  const logged: unknown[] = [];
  const log = { warn: (...what: unknown[]) => void logged.push(what) };
  const of = (program: string, maxWallMs = 60_000) =>
    limitedThread(join(programs, program), log, { maxWallMs, maxWaiting: 9 });
  const ask = (schemas: Schemas) =>
    schemas('t', (run) => run('find', { document: {} as never, actions: [] }, 5_000));
  const mortal = of('ends-after-one.js');
  for (const _ of [1, 2, 3]) expect(await ask(mortal)).toEqual({ value: { done: 'found' } });
  for (const one of [of('throws.js'), of('says-nothing.js', 500), of('is-not-there.js')])
    await expect(ask(one)).rejects.toThrow('the thread that reads schemas does not run');
  expect(JSON.stringify(logged)).toContain('it broke');
});

test('memory that others take is no fault of a schema, and one that takes too much by itself is given up [control-plane.connector.schema-time]', async () => {
  const log = { warn: () => {} };
  const schemas = limitedThread(join(programs, 'keeps.js'), log, { maxWallMs: 60_000, maxWaiting: 9 });
  const keep = (mebibytes: number) =>
    schemas('t', (run) => run('find', { document: { mebibytes } as never, actions: [] }, 60_000));
  for (const _ of [1, 2, 3, 4]) expect(await keep(100)).toEqual({ value: { done: 'kept' } });
  expect(await keep(1000)).toEqual({ value: null });
  expect(await keep(100)).toEqual({ value: { done: 'kept' } });
});
