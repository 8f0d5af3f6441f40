import { bare, direct, type FreeCallResult, type Measured } from './free-call.ts';
import { ours } from './lab.ts';
import { number, type Row, table } from './table.ts';

/** `timesPeerOverHttp` and `timesDirect` are limits at this many callers. */
const busyCallers = 16;
const targets = { cpuMicros: 250, addedP50: 0.5, timesPeer: 4, timesPeerOverHttp: 4.5, timesDirect: 4 };

/** The tables of the free call, one for each number of callers, and what they say about our targets. */
export function reportFreeCall({ measured, missing, overStdio }: FreeCallResult): string {
  const concurrencies = [...new Set(measured.map((row) => row.callers))];
  return [
    '## Free call',
    '',
    'A free tool with four arguments, called directly, through our gateway and through each peer. One lean client',
    '(one session, undici pool; the same for all) in the process of the benchmark; CPU is that of each row’s own',
    'processes, without client and service; for the direct call, of the service. Medians of the rounds; added p50 and',
    'times direct (CPU) are medians of the comparisons with the direct call of the same round. Peers run in the cheapest setting that their options allow. Two of them can',
    'reach only a service that they start themselves, through a pipe: less work than HTTP, and shown as such. The bare proxy is',
    'Node’s http, an undici pool and our envelope, and nothing else: no gateway on these can cost less.',
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
  'times direct',
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
    row.name === direct ? '' : number(row.timesDirect),
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
  if (own.callers === busyCallers) {
    const times = `${at}: ${number(own.timesDirect)} × the CPU of the direct call (at most ${targets.timesDirect} ×)`;
    const least = rows.find((row) => row.name === bare);
    const floor = least === undefined ? '' : `; the bare proxy ${number(least.timesDirect)} ×`;
    lines.push(verdict(own.timesDirect <= targets.timesDirect, times + floor));
  }
  return [...lines, ...judgeBesidePeers(own, rows, overStdio)];
}

function judgeBesidePeers(
  own: Measured,
  rows: readonly Measured[],
  overStdio: readonly string[],
): readonly string[] {
  const peers = rows
    .filter((row) => !row.name.startsWith(ours) && row.name !== direct && row.name !== bare)
    .toSorted((a, b) => a.cpuMicrosPerCall - b.cpuMicrosPerCall);
  const overHttp = peers.find((row) => !overStdio.includes(row.name));
  return [...new Set([peers[0], overHttp])].flatMap((fastest) => {
    if (fastest === undefined) return [];
    const times = fastest.cpuMicrosPerCall / own.cpuMicrosPerCall;
    const isStrict = fastest === overHttp && own.callers === busyCallers;
    const atLeast = isStrict ? targets.timesPeerOverHttp : targets.timesPeer;
    const than = `${number(times)} × the calls per CPU second of ${fastest.name}`;
    return [verdict(times >= atLeast, `${own.callers} at once: ${than} (at least ${atLeast} ×)`)];
  });
}

export const verdict = (met: boolean, text: string): string => `- ${met ? 'met' : '**not met**'}: ${text}`;
