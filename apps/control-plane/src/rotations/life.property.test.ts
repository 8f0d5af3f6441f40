import { executionStatuses } from '@countersign/protocol/control/execution';
import { type RotationState, rotationStates } from '@countersign/protocol/control/rotation';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf, isOpen, outcomeOf, type RotationEvent, step } from './life.ts';

/** The service takes the value when it is asked, or some steps later, or never; it may answer "done" whatever it does. */
const service = fc.record({ takesAt: fc.nat({ max: 6 }), saysDone: fc.boolean() });
type Service = { readonly takesAt: number; readonly saysDone: boolean };
const never = 6;
const taken = ({ takesAt }: Service, now: number): boolean => takesAt < never && takesAt <= now;

function answered(of: Service, now: number): 'done' | 'not_done' | 'unknown' {
  if (of.saysDone || taken(of, now)) return 'done';
  return of.takesAt === never ? 'not_done' : 'unknown';
}

/** What such a service can make us hear where a check is named; any answer may be lost. */
function heard(state: RotationState, of: Service, now: number, isLost: boolean): RotationEvent | null {
  switch (state) {
    case 'running':
      return { of: 'operation', outcome: isLost ? 'unknown' : answered(of, now), check: true };
    case 'checking':
      return { of: 'check', answer: !isLost && taken(of, now) ? 'works' : 'unknown' };
    case 'unresolved':
      return { of: 'person', valid: 'check' };
    case 'confirmed':
    case 'failed':
    case 'superseded':
      return null;
  }
}

test('whatever is lost, late or claimed, no value that the service may take alone is ever dropped by itself', () => {
  fc.assert(
    fc.property(service, fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), (of, lost) => {
      let state: RotationState = 'running';
      for (const [now, isLost] of lost.entries()) {
        const event = heard(state, of, now, isLost);
        if (event === null) break;
        state = step(state, event) ?? state;
      }
      const ends: RotationState = of.takesAt < never ? 'confirmed' : 'failed';
      expect([ends, 'checking', 'unresolved']).toContain(state);
    }),
  );
});

test('that it is done is proof where no check is named alone; a check has the last word', () => {
  expect(step('running', { of: 'operation', outcome: 'done', check: false })).toBe('confirmed');
  expect(step('running', { of: 'operation', outcome: 'done', check: true })).toBe('checking');
  expect(step('running', { of: 'operation', outcome: 'not_done', check: true })).toBe('failed');
});

const event: fc.Arbitrary<RotationEvent> = fc.oneof(
  fc.record({
    of: fc.constant('operation' as const),
    outcome: fc.constantFrom('done' as const, 'not_done' as const, 'unknown' as const),
    check: fc.boolean(),
  }),
  fc.record({
    of: fc.constant('check' as const),
    answer: fc.constantFrom('works' as const, 'unknown' as const),
  }),
  fc.record({
    of: fc.constant('person' as const),
    valid: fc.constantFrom('next' as const, 'current' as const, 'check' as const),
  }),
  fc.constant({ of: 'credential' as const }),
);

test('nothing follows an end, and what is heard twice, late or of another state changes nothing', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      let state: RotationState = 'running';
      for (const one of events) {
        const next = step(state, one);
        if (next === null) continue;
        expect(isOpen(state)).toBe(true);
        expect(next).not.toBe('running');
        expect(next).not.toBe(state);
        state = next;
      }
    }),
  );
});

test('a person and another value have their say only where nobody knows', () => {
  for (const state of rotationStates) {
    const isUnresolved = state === 'unresolved';
    expect(step(state, { of: 'person', valid: 'next' }) !== null).toBe(isUnresolved);
    expect(step(state, { of: 'person', valid: 'current' }) !== null).toBe(isUnresolved);
    expect(step(state, { of: 'person', valid: 'check' }) !== null).toBe(isUnresolved);
    expect(step(state, { of: 'credential' }) !== null).toBe(isUnresolved);
  }
});

const message = 'any';
test('an operation was done or not done only where that is sure', () => {
  const failed = (code: 'target_error' | 'target_unreachable' | 'egress_denied', target_status?: number) =>
    outcomeOf({
      status: 'failed',
      problem: { code, message, ...(target_status !== undefined && { target_status }) },
    });
  for (const status of [400, 401, 403, 404, 422]) expect(failed('target_error', status)).toBe('not_done');
  for (const status of [300, 302, 308, 408, 409, 425, 429, 500, 501, 502, 503, 504])
    expect(failed('target_error', status)).toBe('unknown');
  expect(failed('target_error')).toBe('unknown');
  expect(failed('target_unreachable')).toBe('not_done');
  expect(failed('target_unreachable', 502)).toBe('unknown');
  expect(outcomeOf({ status: 'failed', problem: null })).toBe('unknown');
  const byStatus = executionStatuses.map((status) => [status, outcomeOf({ status, problem: null })]);
  expect(Object.fromEntries(byStatus)).toMatchObject({
    completed: 'done',
    denied: 'not_done',
    expired: 'not_done',
    cancelled: 'not_done',
    outcome_unknown: 'unknown',
    running: 'unknown',
  });
});

test('a value works where its check was completed, and nothing else is proof of anything', () => {
  for (const status of executionStatuses)
    expect(answerOf({ status })).toBe(status === 'completed' ? 'works' : 'unknown');
});
