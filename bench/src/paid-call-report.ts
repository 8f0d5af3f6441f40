import { verdict } from './free-call-report.ts';
import type { PaidCallResult, PaidMeasured } from './paid-call.ts';
import { number, table } from './table.ts';

const targets = { cpuMillis: 1.5, callsPerSecond: 700, timesMcp: 1 };

/** The table of the paid call against stubs, and what it says about our targets. */
export function reportPaidCall({ measured, secp256k1 }: PaidCallResult): string {
  const head = [
    'gateway',
    'callers',
    'calls/s',
    'p50 ms',
    'p99 ms',
    'CPU ms/call',
    'first round',
    'last round',
  ];
  const rows = measured.map((row) => [
    row.name,
    String(row.callers),
    number(row.callsPerSecond),
    number(row.p50),
    number(row.p99),
    number(row.cpuMillisPerCall),
    number(row.cpuMillisFirst),
    number(row.cpuMillisLast),
    number(row.rssMB),
    String(row.failed),
    String(row.unreported),
  ]);
  const judged = measured.filter((row) => row.callers === 16);
  return [
    '## Paid call, gateway alone',
    '',
    'Every check and a real signature; the dashboard, the service and its facilitator are stubs in the process of',
    'the benchmark that answer at once (credential and cart are really signed), and no chain is asked. CPU is the',
    'gateway’s own, reports included. A dashboard without holds leaves reservations to the gateway. The first and',
    'the last round tell whether a call costs more the more was paid before.',
    '',
    `secp256k1: ${secp256k1}.`,
    '',
    table([...head, 'RSS MB', 'failed', 'unreported'], rows),
    '',
    '### Targets',
    '',
    ...judged.flatMap(judge),
    ...judged.filter(({ way }) => way === 'http').map((row) => judgeWay(row, judged)),
    ...measured.filter(({ callers }) => callers === 1).flatMap(compareHolds),
  ].join('\n');
}

/**
 * Against the same gateway in the same rounds, whose dashboard answers 404 to a hold, so that the gateway reserves itself. Both
 * pay a round trip, so it is no measure of what a hold adds, and judged against no target.
 */
function compareHolds(row: PaidMeasured, _: number, all: readonly PaidMeasured[]): readonly string[] {
  const bare = row.name.replace('with holds', 'without holds');
  const without = bare === row.name ? undefined : all.find(({ name }) => name === bare);
  if (without === undefined) return [];
  const added = row.p50 - without.p50;
  return [
    `- ${row.name}: ${added.toFixed(2)} ms p50 between a hold at the dashboard and its 404 with a local reservation (no target)`,
  ];
}

/** Against the same gateway over MCP in the same rounds. */
function judgeWay(row: PaidMeasured, judged: readonly PaidMeasured[]): string {
  const overMcp = judged.find(({ name, way }) => way === 'mcp' && row.name.startsWith(`${name}, `));
  const times = row.cpuMillisPerCall / (overMcp?.cpuMillisPerCall ?? Number.NaN);
  return verdict(
    times <= targets.timesMcp,
    `${row.name}: ${number(times)} × the CPU over MCP (at most ${targets.timesMcp})`,
  );
}

const judge = ({ name, cpuMillisPerCall, callsPerSecond }: PaidMeasured): readonly string[] => [
  verdict(
    cpuMillisPerCall <= targets.cpuMillis,
    `${name}: ${number(cpuMillisPerCall)} ms of CPU per paid call (at most ${targets.cpuMillis})`,
  ),
  verdict(
    callsPerSecond >= targets.callsPerSecond,
    `${name}: ${number(callsPerSecond)} paid calls a second at 16 callers (at least ${targets.callsPerSecond})`,
  ),
];
