import { executionStatuses, type ExecutionStatus } from '@countersign/protocol/control/execution';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { before, isEnded } from './life.ts';

const canFollow = (from: ExecutionStatus): ExecutionStatus[] =>
  executionStatuses.filter((to) => before(to).includes(from));

test('whatever is tried in whatever order: nothing follows an end, and only what was pending runs [control-plane.execution.status]', () => {
  const status = fc.constantFrom(...executionStatuses);
  fc.assert(
    fc.property(
      fc.constantFrom('pending', 'pending_hitl'),
      fc.array(status, { maxLength: 60 }),
      (first, tried) => {
        const lived: ExecutionStatus[] = [first];
        for (const to of tried) if (before(to).includes(lived.at(-1) ?? first)) lived.push(to);
        const ends = lived.slice(0, -1).filter(isEnded);
        const steps = lived.slice(1).map((to, place) => ({ from: lived[place], to }));
        const ran = steps.filter(({ to }) => to === 'running');
        const completed = steps.filter(({ to }) => to === 'completed');
        const unknown = steps.filter(({ to }) => to === 'outcome_unknown');
        expect(ends).toEqual([]);
        expect(ran.every(({ from }) => from === 'pending')).toBe(true);
        expect(completed.every(({ from }) => from === 'running')).toBe(true);
        // One that was cut off waits as `pending` for its next attempt.
        expect(unknown.every(({ from }) => from === 'running' || from === 'pending')).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test('every state can be reached, and none but the ends is the last one', () => {
  const reached = new Set<ExecutionStatus>(['pending', 'pending_hitl']);
  for (const from of reached) for (const to of canFollow(from)) reached.add(to);
  expect([...reached].toSorted()).toEqual([...executionStatuses].toSorted());
  for (const status of executionStatuses) expect(canFollow(status).length === 0).toBe(isEnded(status));
});
