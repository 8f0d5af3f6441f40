import type { AppendResult } from './audit-appends.ts';
import type { ProofResult, Proofs } from './audit-proofs.ts';
import type { Cost } from './audit-sample.ts';
import type { VerificationResult } from './audit-verification.ts';
import { number, table } from './table.ts';

const targets = { perSecond: 10_000, p99: 25, signShare: 0.4, verifyShare: 0.8, proofMs: 1, hashes: 25 };

const met = (isMet: boolean): string => (isMet ? 'met' : 'NOT met');

/** Appends beside the two limits below them. */
export function reportAppends({ appends, signature, flush }: AppendResult): string {
  const rows = appends.map(({ callers, perSecond, p50, p99, cpuMicros, failed }) => [
    `${callers} at once`,
    number(perSecond),
    number(p50),
    number(p99),
    number(cpuMicros),
    number(perSecond / signature.perSecond),
    String(failed),
  ]);
  const bare = ({ perSecond, cpuMicros }: Cost) => [number(perSecond), '–', '–', number(cpuMicros)];
  const limits = [
    ['limit: bare Ed25519 signatures', ...bare(signature), '1.00', '–'],
    ['limit: bare flushes of 50 KB', ...bare(flush), '–', '–'],
  ];
  const many = appends.find(({ callers }) => callers === 64);
  const share = (many?.perSecond ?? 0) / signature.perSecond;
  return [
    '## Durable signed records',
    '',
    'Each append is chained, signed (Ed25519, node:crypto) and on disk (fdatasync) before it is answered. Medians of',
    'the rounds; the limits were measured between them, in the same process on the same disk.',
    '',
    table(['append', 'per s', 'p50 ms', 'p99 ms', 'CPU µs', 'of sign rate', 'failed'], [...rows, ...limits]),
    '',
    `- at 64 callers at least ${number(targets.perSecond)}/s: ${met((many?.perSecond ?? 0) >= targets.perSecond)}`,
    `- at 64 callers p99 below ${targets.p99} ms: ${met((many?.p99 ?? Infinity) < targets.p99)}`,
    `- at 64 callers at least ${targets.signShare} of the sign rate: ${met(share >= targets.signShare)}`,
  ].join('\n');
}

/** Whole exports beside bare signatures. */
export function reportVerification({ records, record, signature }: VerificationResult): string {
  const ratio = signature.cpuMicros / record.cpuMicros;
  return [
    '## Offline verification',
    '',
    `An export of ${number(records)} records as "countersign audit verify" checks it, in memory, on one thread: form,`,
    'chain, signature, end and checkpoint.',
    '',
    table(
      ['', 'per s', 'CPU µs'],
      [
        ['records of an export', number(record.perSecond), number(record.cpuMicros)],
        ['limit: bare Ed25519 verifications', number(signature.perSecond), number(signature.cpuMicros)],
      ],
    ),
    '',
    `- at least ${targets.verifyShare} of the bare rate, by CPU: ${number(ratio)}, ${met(ratio >= targets.verifyShare)}`,
  ].join('\n');
}

/** Proofs from a large tree. */
export function reportProofs(result: ProofResult): string {
  const { leaves, buildSeconds, memoryMiB, inclusion, consistency } = result;
  const row = (name: string, { p50, p99, hashes, checkP50 }: Proofs) => [
    name,
    number(p50),
    number(p99),
    String(hashes),
    number(checkP50),
  ];
  return [
    `## Proofs at ${leaves.toLocaleString('en-US')} records`,
    '',
    `The tree was made in ${number(buildSeconds)} s and takes ${number(memoryMiB)} MiB. Each proof was checked.`,
    '',
    table(
      ['proof', 'p50 ms', 'p99 ms', 'hashes at most', 'check p50 ms'],
      [row('inclusion', inclusion), row('consistency', consistency)],
    ),
    '',
    `- below ${targets.proofMs} ms: ${met(inclusion.p50 < targets.proofMs && consistency.p50 < targets.proofMs)}`,
    `- an inclusion of at most ${targets.hashes} hashes: ${met(inclusion.hashes <= targets.hashes)}`,
  ].join('\n');
}
