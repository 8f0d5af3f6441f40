import { direct, type FreeCallResult, type Measured } from './free-call.ts';
import { ours } from './lab.ts';
import { number, type Row, table } from './table.ts';

const targets = { cpuMicros: 250, addedP50: 0.5, timesPeer: 4 };

/** The tables of the free call, one for each number of callers, and what they say about our targets. */
export function reportFreeCall({ measured, missing, overStdio }: FreeCallResult): string {
  const concurrencies = [...new Set(measured.map((row) => row.callers))];
  return [
    '## Free call',
    '',
    'A free tool with four arguments, called directly, through our gateway and through each peer. One lean client',
    '(one session, undici pool; the same for all) in the process of the benchmark; CPU is that of each row’s own',
    'processes, without client and service. Medians of the rounds; added p50 is the median of the differences to',
    'the direct call of the same round. Peers run in the cheapest setting that their options allow. Two of them can',
    'reach only a service that they start themselves, through a pipe: less work than HTTP, and shown as such.',
    ...concurrencies.flatMap((callers) => [
      '',
      `### ${callers} at once`,
      '',
      tableOf(
        measured.filter((row) => row.callers === callers),
        missing,
      ),
    ]),
    '',
    ...Object.entries(missing).map(([name, why]) => `- ${name} is not measured: ${why}`),
    '',
    '### Targets',
    '',
    ...concurrencies.flatMap((callers) =>
      judge(
        measured.filter((row) => row.callers === callers),
        overStdio,
      ),
    ),
  ].join('\n');
}

const head: Row = [
  'through',
  'calls/s',
  'p50 ms',
  'added p50',
  'p99 ms',
  'CPU µs/call',
  'calls/CPU s',
  'RSS MB',
  'failed',
];

function tableOf(rows: readonly Measured[], missing: FreeCallResult['missing']): string {
  const present = rows.map((row) => [
    row.name,
    number(row.callsPerSecond),
    number(row.p50),
    row.name === direct ? '' : number(row.addedP50),
    number(row.p99),
    number(row.cpuMicrosPerCall),
    number(1e6 / row.cpuMicrosPerCall),
    number(row.rssMB),
    String(row.failed),
  ]);
  return table(head, [...present, ...Object.keys(missing).map((name) => [name, 'none: see below'])]);
}

function judge(rows: readonly Measured[], overStdio: readonly string[]): readonly string[] {
  const own = rows.find((row) => row.name === ours);
  if (own === undefined) return ['- our gateway was not measured'];
  const at = `${own.callers} at once`;
  const cpu = `${at}: ${number(own.cpuMicrosPerCall)} µs of CPU per call (at most ${targets.cpuMicros})`;
  const lines = [verdict(own.cpuMicrosPerCall <= targets.cpuMicros, cpu)];
  if (own.callers === 1) {
    const added = `${at}: ${number(own.addedP50)} ms added to the direct p50 (at most ${targets.addedP50})`;
    lines.push(verdict(own.addedP50 <= targets.addedP50, added));
  }
  const peers = rows
    .filter((row) => !row.name.startsWith(ours) && row.name !== direct)
    .toSorted((a, b) => a.cpuMicrosPerCall - b.cpuMicrosPerCall);
  const overHttp = peers.filter((row) => !overStdio.includes(row.name));
  for (const fastest of new Set([peers[0], overHttp[0]])) {
    if (fastest === undefined) continue;
    const times = fastest.cpuMicrosPerCall / own.cpuMicrosPerCall;
    const than = `${number(times)} × the calls per CPU second of ${fastest.name}`;
    lines.push(verdict(times >= targets.timesPeer, `${at}: ${than} (at least ${targets.timesPeer} ×)`));
  }
  return lines;
}

export const verdict = (met: boolean, text: string): string => `- ${met ? 'met' : '**not met**'}: ${text}`;
