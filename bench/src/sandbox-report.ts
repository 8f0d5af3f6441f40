import { verdict } from './free-call-report.ts';
import type { SandboxData } from './sandbox.ts';
import { number, table } from './table.ts';

const targets = { cold: 700, warm: 300, ratio: 1.25, review: 3, copy: 40, memory: 3072 };

const at = (times: readonly number[], part: number): number => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
};
const median = (times: readonly number[]): number => at(times, 0.5);

/** The tables of browser sessions, and what they say about our targets. */
export function reportSandbox({ starts, operations, reviews, copies, together }: SandboxData): string {
  const copy = median(copies.changing) - median(copies.small);
  const look = median(copies.large) - median(copies.small);
  const ratioOf = ({ ours, peer }: SandboxData['operations'][number]) => median(ours) / median(peer);
  const compared = operations.filter(({ peer }) => peer.length > 0);
  return [
    '## Browser sessions',
    '',
    'Over HTTP through a real vault on PostgreSQL and a real enclave: each operation is observed, reviewed, recorded on',
    'disk before and after it is done, and masked. The peer is playwright-core on the same Chromium and page, without a',
    'jail, a proxy, a review or a record. Medians of interleaved rounds.',
    '',
    table(
      ['', 'ours ms', 'playwright-core ms', 'ratio'],
      operations.map((row) => [
        row.name,
        number(median(row.ours)),
        row.peer.length === 0 ? '' : number(median(row.peer)),
        row.peer.length === 0 ? '' : number(ratioOf(row)),
      ]),
    ),
    '',
    ...compared.map((row) =>
      verdict(
        ratioOf(row) <= targets.ratio,
        `${row.name} ${number(ratioOf(row))} × (at most ${targets.ratio})`,
      ),
    ),
    verdict(
      median(starts.cold) < targets.cold,
      `first page of a new jailed session, cold: ${number(median(starts.cold))} ms (below ${targets.cold})`,
    ),
    verdict(
      median(starts.warm) < targets.warm,
      `from a warmed jail: ${number(median(starts.warm))} ms (below ${targets.warm})`,
    ),
    verdict(
      at(reviews, 0.95) < targets.review,
      `review p95 ${number(at(reviews, 0.95))} ms (below ${targets.review})`,
    ),
    verdict(
      copy < targets.copy,
      `masked copy of 5,000 nodes: ${number(copy)} ms (below ${targets.copy}), and where the page is as it was ` +
        `${number(look)} ms`,
    ),
    verdict(
      together.failed === 0 && together.memory < targets.memory,
      `${together.sessions} sessions at a time: ${together.operations} operations, ${together.failed} failed, p50 ` +
        `${number(together.p50)} ms, p99 ${number(together.p99)} ms, ${together.memory} MiB (none failed, below ${targets.memory})`,
    ),
  ].join('\n');
}
