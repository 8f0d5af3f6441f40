import { expect, test } from 'vitest';
import type { PaidMeasured } from './paid-call.ts';
import { reportPaidCall } from './paid-call-report.ts';

const zero = {
  callers: 1,
  way: 'mcp',
  callsPerSecond: 0,
  p99: 0,
  cpuMillisPerCall: 0,
  cpuMillisFirst: 0,
  cpuMillisLast: 0,
  rssMB: 0,
  failed: 0,
  unreported: 0,
};

test('a hold is compared with a 404 and a local reservation, and judged against no target', () => {
  const row = (name: string, p50: number) => ({ ...zero, name, p50 }) as PaidMeasured;
  const measured = [row('gateway without holds', 1), row('gateway with holds', 9)];
  const told = reportPaidCall({ measured, secp256k1: 'native' });
  const line = told.split('\n').at(-1);
  expect(line).toBe(
    '- gateway with holds: 8.00 ms p50 between a hold at the dashboard and its 404 with a local reservation (no target)',
  );
});
