import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../test/sandbox.ts';

/** What a session is, in the fewest words. */
type Reference = {
  status: 'active' | 'paused' | 'closed' | 'expired';
  pausedBy: 'person' | 'agent' | null;
  reason: string | null;
  waiting: number;
};

const ends = {
  close: 'asked',
  crash: 'crashed',
  out_of_memory: 'out_of_memory',
  decoy: 'alarm',
  expire: 'expired',
} as const;
const pauses = ['pause by agent', 'pause by person', 'resume by agent', 'resume by person'] as const;
const steps = [...pauses, 'operate', 'ask', ...(Object.keys(ends) as (keyof typeof ends)[])] as const;

/** What each step makes of the reference, and whether its command is taken. */
function step(session: Reference, name: (typeof steps)[number]): boolean {
  const { status } = session;
  const isOver = status === 'closed' || status === 'expired';
  if (name in ends) {
    const reason = ends[name as keyof typeof ends];
    if (!isOver)
      Object.assign(session, {
        status: name === 'expire' ? 'expired' : 'closed',
        pausedBy: null,
        reason,
        waiting: 0,
      });
    return true;
  }
  if (name === 'operate') return status === 'active';
  if (name === 'ask') {
    if (status === 'active') session.waiting += 1;
    return status === 'active';
  }
  return !isOver && pauseOrResume(session, name as (typeof pauses)[number]);
}

function pauseOrResume(session: Reference, name: (typeof pauses)[number]): boolean {
  const isHeld = session.pausedBy === 'person';
  switch (name) {
    case 'pause by agent':
      Object.assign(session, { status: 'paused', pausedBy: isHeld ? 'person' : 'agent' });
      return true;
    case 'pause by person':
      Object.assign(session, { status: 'paused', pausedBy: 'person' });
      return true;
    case 'resume by agent':
      if (!isHeld) Object.assign(session, { status: 'active', pausedBy: null });
      return !isHeld;
    case 'resume by person':
      Object.assign(session, { status: 'active', pausedBy: null });
      return true;
  }
}

/** Nobody asked for it, so nobody is answered. */
const happens = (act: () => void) => () => {
  act();
  return null;
};

test('a session lives as its reference, whatever happens in whatever order [vault.sandbox.session.status] [vault.sandbox.session.expires] [vault.sandbox.pause-and-resume] [vault.sandbox.pause.person] [vault.sandbox.close] [vault.sandbox.closed-refuses]', async () => {
  const sandbox = await Sandbox.start();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 12 }), async (names) => {
      const session = await sandbox.open({ approval: 'human', expiresAt: sandbox.clock.now() + 1000 });
      const reference: Reference = { status: 'active', pausedBy: null, reason: null, waiting: 0 };
      const operationId = randomUUID;
      const real = {
        'pause by agent': () => session.ask('session.pause', { by: 'agent' }),
        'pause by person': () => session.ask('session.pause', { by: 'person' }),
        'resume by agent': () => session.ask('session.resume', { by: 'agent' }),
        'resume by person': () => session.ask('session.resume', { by: 'person' }),
        operate: () =>
          session.ask('session.operate', {
            operationId: operationId(),
            operation: { operation_type: 'extract', selector: 'h1' },
          }),
        ask: () =>
          session.ask('session.operate', {
            operationId: operationId(),
            operation: { operation_type: 'execute_script', value: 'return 1;' },
          }),
        close: () => session.ask('session.close', {}),
        crash: happens(() => sandbox.host.die.get(session.id)?.('crashed')),
        out_of_memory: happens(() => sandbox.host.die.get(session.id)?.('out_of_memory')),
        decoy: happens(() =>
          session.browser.alarm({ kind: 'decoy', url: 'https://shop.example/', method: 'POST' }),
        ),
        expire: happens(() => sandbox.clock.pass(1000)),
      };
      for (const name of names) {
        const answer = await real[name]();
        // What a browser tells by itself is heard a moment later.
        await new Promise(setImmediate);
        const isTaken = step(reference, name);
        expect(answer?.ok ?? isTaken).toBe(isTaken);
        const state = await session.state();
        expect([state.status, state.pausedBy ?? null, state.closedReason ?? null]).toEqual([
          reference.status,
          reference.pausedBy,
          reference.reason,
        ]);
        // What waits is rejected once the end is on disk.
        const waiting = session.browser.isClosed ? reference.waiting : state.pending.length;
        expect(waiting).toBe(reference.waiting);
      }
      await session.ask('session.close', {});
      expect(session.browser.isClosed).toBe(true);
      expect((await session.state()).pending).toEqual([]);
      expect(session.told().filter((event) => event === 'session_closed')).toHaveLength(1);
      expect(session.told().at(-1)).toBe('session_closed');
    }),
    { numRuns: 40 },
  );
  await sandbox.stop();
});
