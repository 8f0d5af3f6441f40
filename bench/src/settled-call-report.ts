import { availableParallelism } from 'node:os';
import { verdict } from './free-call-report.ts';
import { ours } from './lab.ts';
import type { ManyMandates } from './many-mandates.ts';
import type { SettledCallResult } from './settled-call.ts';
import { number, table } from './table.ts';
import { unguarded } from './unguarded-gateway.ts';

const targets = { timesBare: 1.45, timesUnguarded: 1.15, timesOneCaller: 3 };

/** The tables of the paid call on a chain, and what they say about our targets. */
export function reportSettledCall({ measured, timesUnguarded, manyMandates }: SettledCallResult): string {
  const rows = measured.map((row) => [
    row.name,
    number(row.callsPerSecond),
    number(row.p50),
    number(row.timesBare),
    number(row.p99),
    String(row.failed),
  ]);
  const guarded = measured.filter(({ name }) => name.startsWith(ours) && name !== unguarded);
  return [
    '## Paid call on the chain',
    '',
    'One tool of the sample service, settled on a local chain that mines at once, one caller. The bare client pays',
    'whatever it is asked; the gateway screens both parties, verifies cart and mandate, holds, journals, settles, looks',
    'the transaction up on the chain, leaves a receipt and reports, with a real dashboard on PostgreSQL. With its',
    'guarantees off (a build of this benchmark, no option that anybody has) it does the same without holds, journal,',
    'receipts and outbox. All through the stock MCP client. Quotients are medians of those within each round.',
    '',
    table(['paid by', 'calls/s', 'p50 ms', 'times bare', 'p99 ms', 'failed'], rows),
    '',
    ...guarded.map(({ name, timesBare }) =>
      verdict(
        timesBare <= targets.timesBare,
        `${name}: ${number(timesBare)} × the p50 of the bare client (at most ${targets.timesBare} ×)`,
      ),
    ),
    verdict(
      timesUnguarded <= targets.timesUnguarded,
      `${ours}: ${number(timesUnguarded)} × its own p50 with the guarantees off (at most ${targets.timesUnguarded} ×)`,
    ),
    '',
    ...reportManyMandates(manyMandates),
  ].join('\n');
}

function reportManyMandates(rows: readonly ManyMandates[]): readonly string[] {
  const cells = rows.map((row) => [
    String(row.callers),
    number(row.callsPerSecond),
    number(row.timesOne),
    number(row.p50),
    number(row.p99),
    number(row.cpuMillisPerCall),
    String(row.failed),
  ]);
  const [one, most] = [rows.at(0), rows.at(-1)];
  return [
    '### One mandate and many',
    '',
    'A gateway pays from one wallet, and a wallet has one mandate: so many mandates are as many owners, each with a',
    'gateway process and a caller of its own, before one service, facilitator, dashboard and chain on this machine.',
    'CPU is that of all these processes and of the callers: no more calls fit into a second than its cores have time for.',
    '',
    table(['callers', 'calls/s', 'times one', 'p50 ms', 'p99 ms', 'CPU ms/call', 'failed'], cells),
    '',
    ...(one === undefined || most === undefined
      ? []
      : [
          verdict(
            most.timesOne >= targets.timesOneCaller,
            `${most.callers} callers on ${most.callers} mandates: ${number(most.timesOne)} × the paid calls a second of one (at least ${targets.timesOneCaller} ×); ${boundOf(one, most)}`,
          ),
        ]),
  ];
}

/** What the cores could do at most if none ever waited. */
function boundOf(one: ManyMandates, most: ManyMandates): string {
  const cores = availableParallelism();
  const allowed = (cores * 1000) / most.cpuMillisPerCall;
  return `${cores} cores have time for ${number(allowed)} calls a second, ${number(allowed / one.callsPerSecond)} × one`;
}
