import { verdict } from '../free-call-report.ts';
import { number, type Row, table } from '../table.ts';
import type { ReadMeasured, ReadResult } from './reads.ts';
import { ours, type WriteMeasured } from './writes.ts';

export type LogResult = {
  readonly records: number;
  readonly loadSeconds: number;
  readonly disk: Readonly<Record<string, number>>;
  readonly reads: ReadResult;
  readonly writes: readonly WriteMeasured[];
};

const targets = {
  p95: 250,
  listOf2000: 3,
  listOf100000: 20,
  timesPgbench: 1,
  timesPgbenchAlone: 0.75,
  timesHot: 3,
};

const whole = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

/** The tables of the log, and what they say about our targets. */
export function reportLog({ records, loadSeconds, disk, reads, writes }: LogResult): string {
  return [
    `## Lists and totals of ${whole(records)} records`,
    '',
    `${whole(records)} records of a year, 10 000 wallets, activity skewed like a cube; loaded, indexed and rolled up in`,
    `${whole(loadSeconds)} s. Asked one after another through the HTTP API with a session; every list has its exact total.`,
    'Naive is the same records in one table with an index on payer and one on payee, asked with OR and count(*): the',
    'best of three, its SQL alone, without HTTP. `GET /health` takes',
    `${number(reads.floor)} ms: the least that any answer costs.`,
    '',
    readTable(reads.reads),
    '',
    `CSV of the busiest account: ${whole(reads.download.records)} records, ${whole(reads.download.megabytes)} MB in ` +
      `${number(reads.download.seconds)} s; the dashboard grew by ${whole(reads.download.grownMB)} MB meanwhile.`,
    '',
    `On disk, in GB: ${Object.entries(disk)
      .map(([name, size]) => `${name} ${number(size)}`)
      .join(', ')}.`,
    '',
    '## Reports',
    '',
    'Each passing report charges a mandate and is durable (fsync on) before it is answered. pgbench sends the very',
    'statement of the dashboard with one report, prepared, over as many connections, to the same tables: no HTTP, no',
    'key, no JSON to check. Turn by turn; medians of the rounds. µs are CPU time for one report.',
    '',
    writeTable(writes),
    '',
    '### Targets',
    '',
    ...judgeReads(reads.reads),
    ...judgeWrites(writes),
  ].join('\n');
}

const readTable = (reads: readonly ReadMeasured[]): string =>
  table(
    ['list', 'account has', 'match', 'p50 ms', 'p95 ms', 'naive ms', 'times naive'],
    reads.map(({ query, records, matching, p50, p95, naive }) => [
      query,
      whole(records),
      matching === null ? '' : whole(matching),
      number(p50),
      number(p95),
      naive === null ? '' : Number.isFinite(naive) ? number(naive) : '> 30 s',
      naive === null || !Number.isFinite(naive) ? '' : number(naive / p50),
    ]),
  );

function writeTable(writes: readonly WriteMeasured[]): string {
  const head: Row = [
    'reports by',
    'callers',
    'mandates',
    'reports/s',
    'ms',
    'dashboard µs',
    'PostgreSQL µs',
    'failed',
  ];
  const line = (row: WriteMeasured): Row => [
    row.by,
    String(row.callers),
    whole(row.mandates),
    whole(row.perSecond),
    number(row.millis),
    row.cpuMicros === null ? '' : number(row.cpuMicros),
    number(row.postgresMicros),
    String(row.failed),
  ];
  return table(head, writes.map(line));
}

function judgeReads(reads: readonly ReadMeasured[]): readonly string[] {
  const most = Math.max(...reads.map(({ records }) => records));
  const busiest = reads.filter(({ records }) => records === most);
  const slowest = busiest.toSorted((a, b) => b.p95 - a.p95)[0];
  const lines = [
    verdict(
      slowest !== undefined && slowest.p95 <= targets.p95,
      `the slowest question of the busiest account takes ${number(slowest?.p95 ?? Number.NaN)} ms at p95 (at most ${targets.p95})`,
    ),
  ];
  const limits = [
    { records: 2000, limit: targets.listOf2000 },
    { records: 100_000, limit: targets.listOf100000 },
  ];
  for (const { records, limit } of limits) {
    for (const { query, matching, p50 } of reads) {
      // Of as many matches, or of a share of them: the accounts are chosen by size, not to the record.
      if (matching === null || matching > records * 1.2 || matching < records * 0.5) continue;
      lines.push(
        verdict(
          p50 <= limit,
          `${query}, ${whole(matching)} matches: ${number(p50)} ms with its exact total (at most ${limit})`,
        ),
      );
    }
  }
  return [...lines, ...judgeGrowth(reads)];
}

/** From the smallest account to the busiest, no question may grow faster than what it answers. */
function judgeGrowth(reads: readonly ReadMeasured[]): readonly string[] {
  return [...new Set(reads.map(({ query }) => query))].flatMap((query) => {
    const sorted = reads
      .filter((read) => read.query === query && read.matching !== null)
      .toSorted((a, b) => (a.matching ?? 0) - (b.matching ?? 0));
    const [least, most] = [sorted[0], sorted.at(-1)];
    if (least === undefined || most === undefined || least === most) return [];
    const [time, matches] = [most.p50 / least.p50, (most.matching ?? 0) / (least.matching ?? 1)];
    const text = `${query}: ${number(time)} × the time for ${whole(matches)} × the matches`;
    return [verdict(time <= matches, text)];
  });
}

function judgeWrites(writes: readonly WriteMeasured[]): readonly string[] {
  const loads = writes.filter(({ by }) => by === ours);
  return loads.flatMap((own) => {
    const other = writes.find(
      ({ by, callers, mandates }) => by !== ours && callers === own.callers && mandates === own.mandates,
    );
    if (other === undefined) return [];
    const wanted =
      own.mandates === 1
        ? targets.timesHot
        : own.callers === 1
          ? targets.timesPgbenchAlone
          : targets.timesPgbench;
    const times = own.perSecond / other.perSecond;
    const on = own.mandates === 1 ? 'one hot mandate' : `${whole(own.mandates)} mandates`;
    const text = `${own.callers} at once on ${on}: ${number(times)} × the reports of ${other.by} (at least ${wanted} ×)`;
    return [verdict(times >= wanted, text)];
  });
}
