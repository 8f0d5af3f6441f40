import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import type { Timers } from '@countersign/service/timers';
import { expect, onTestFinished, test } from 'vitest';
import { openEnvironment } from './environment.ts';
import { openLmdbState } from './lmdb.ts';
import { startOutbox } from './outbox.ts';

const log = createLogger('test', 'silent');

/** An outbox on disk whose dashboard refuses what `refuses` says, with 403; `tick` lets so many milliseconds go by. */
function start() {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-outbox-'));
  const environment = openEnvironment(dir);
  let [clock, ids] = [1_000_000_000_000, 0];
  const state = openLmdbState(
    environment,
    'wallet',
    () => clock,
    () => `id${++ids}`,
  );
  const due: (() => void)[] = [];
  const timers: Timers = {
    pause: () => Promise.resolve(),
    after: () => () => {},
    every(_ms, work) {
      due.push(work);
      return () => {};
    },
  };
  const sent: string[] = [];
  const dashboard = { refuses: (_name: string): boolean => false };
  const outbox = startOutbox(
    state,
    async ({ serviceName }) => {
      sent.push(serviceName);
      return dashboard.refuses(serviceName)
        ? { kind: 'refused', asked: '', status: 403, code: 'UNAUTHORIZED_OPERATION', msg: '', data: null }
        : { kind: 'ok', asked: '', data: {} };
    },
    timers,
    log,
  );
  onTestFinished(async () => {
    await outbox.stop();
    await state.close();
    await environment.close();
    rmSync(dir, { recursive: true });
  });
  const report = (serviceName: string, serviceResult: 'pass' | 'reject') =>
    state.report({ serviceName, serviceResult, chain: 'base', metadata: { traceId: 't' } }, null);
  const parked = () =>
    environment.database('wallet').getKeys({ start: ['parked', ''], end: ['parked', '\uffff'] });
  return {
    sent,
    dashboard,
    report,
    parked: () => [...parked()].length,
    tick: (ms: number): void => {
      clock += ms;
      for (const work of due) work();
    },
  };
}

test('a payment’s report that is refused with 403 is sent again, and others pass it [gateway.report.outbox.refused]', async () => {
  const { sent, dashboard, report, parked, tick } = start();
  dashboard.refuses = (name) => name.startsWith('agent');
  // More of them than are sent at once.
  for (let n = 0; n < 40; n++) await report(`agent-${n}`, 'pass');
  await report('shop', 'pass');
  await expect.poll(() => sent).toContain('shop');
  tick(29_000);
  await report('another shop', 'pass');
  await expect.poll(() => sent).toContain('another shop');
  expect(sent).toHaveLength(42);
  dashboard.refuses = () => false;
  tick(1_000);
  await expect.poll(() => sent.length).toBe(82);
  tick(60_000);
  await report('last', 'pass');
  await expect.poll(() => sent).toContain('last');
  expect([sent.length, parked()]).toEqual([83, 0]);
});

test('a refused call’s report that is refused with 403 is set aside at once [gateway.report.outbox.refused]', async () => {
  const { sent, dashboard, report, parked } = start();
  dashboard.refuses = () => true;
  await report('agent', 'reject');
  await expect.poll(parked).toBe(1);
  expect(sent).toEqual(['agent']);
});

test('a payment’s report that stays refused is sent ever more seldom, every 15 minutes in the end [gateway.report.outbox.refused]', async () => {
  const { sent, dashboard, report, tick } = start();
  dashboard.refuses = (name) => name === 'agent';
  await report('agent', 'pass');
  await expect.poll(() => sent).toEqual(['agent']);
  const agents = () => sent.filter((name) => name === 'agent').length;
  /** Whatever was sent before it has been postponed by then. */
  const another = async (name: string) => {
    await report(name, 'pass');
    await expect.poll(() => sent).toContain(name);
  };
  for (const [at, seconds] of [30, 60, 120, 240, 480, 900, 900].entries()) {
    await another(`before-${at}`);
    tick(seconds * 1_000 - 1);
    await another(`early-${at}`);
    expect(agents()).toBe(at + 1);
    tick(1);
    await expect.poll(agents).toBe(at + 2);
  }
});
