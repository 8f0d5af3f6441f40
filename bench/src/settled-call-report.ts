import { verdict } from './free-call-report.ts';
import { ours } from './lab.ts';
import type { SettledMeasured } from './settled-call.ts';
import { number, table } from './table.ts';

const targetTimesBare = 1.5;

/** The table of the paid call on a chain, and what it says about our target. */
export function reportSettledCall(measured: readonly SettledMeasured[]): string {
  const head = ['paid by', 'calls/s', 'p50 ms', 'times bare', 'p99 ms', 'failed'];
  const rows = measured.map((row) => [
    row.name,
    number(row.callsPerSecond),
    number(row.p50),
    number(row.timesBare),
    number(row.p99),
    String(row.failed),
  ]);
  const judged = measured
    .filter(({ name }) => name.startsWith(ours))
    .map(({ name, timesBare }) =>
      verdict(
        timesBare <= targetTimesBare,
        `${name}: ${number(timesBare)} × the p50 of the bare client (at most ${targetTimesBare} ×)`,
      ),
    );
  return [
    '## Paid call on the chain',
    '',
    'One tool of the sample service, settled on a local chain that mines at once, one caller. The bare client pays',
    'whatever it is asked; the gateway screens both parties, verifies cart and mandate, journals, settles, looks the',
    'transaction up on the chain and reports, with a real dashboard on PostgreSQL. Both through the stock MCP client.',
    'Times bare is the median of the quotients within each round.',
    '',
    table(head, rows),
    '',
    ...judged,
  ].join('\n');
}
