import type { AdmissionResult } from './admission.ts';
import { verdict } from './free-call-report.ts';
import { number, table } from './table.ts';

const addedMillis = 0.1;

/** The table of what is judged at the dashboard for one payment, and what it says about our target. */
export function reportAdmission({ measured, floor, added }: AdmissionResult): string {
  const rows = [
    ['for scale: a round trip to PostgreSQL', '', number(floor.roundTrip), ''],
    ['for scale: one row written and on disk', '', number(floor.commit), ''],
    ...measured.map((row) => [row.name, number(row.unjudged), number(row.p50), number(row.added)]),
  ];
  return [
    '## Admission and budget',
    '',
    'What a paid call asks the dashboard, one caller, over HTTP. Not judged: a build of this benchmark, no option that',
    'anybody has, that takes the same requests, identifies the key, admits the payee without a record, and writes the',
    'hold to disk without reading mandate, policy or budget. Ours looks the payee up in the business records, and judges',
    'the network, the policy, a budget for the day and the whole. Both are asked in turns, on one database. For scale,',
    'what any statement and any commit cost on this machine at that moment, by the driver alone: a hold has both.',
    '',
    table(['request', 'not judged, p50 ms', 'ours, p50 ms', 'added ms'], rows),
    '',
    verdict(
      added <= addedMillis,
      `admission and budget add ${added.toFixed(2)} ms p50 to the two round trips of a paid call (at most ${addedMillis})`,
    ),
  ].join('\n');
}
