import { verdict } from './free-call-report.ts';
import { number, table } from './table.ts';
import { type DecryptRow, decrypts } from './vault-decrypt.ts';

const targets = { perSecond: 4000, atCallers: 32, p50: 1.5 };

/** The table of decrypting, and what it says about our targets. */
export function reportDecrypt(rows: readonly DecryptRow[]): string {
  const cells = rows.map(({ name, callers, perSecond, p50, p99, cpuMicros, failed }) => [
    name,
    String(callers),
    number(perSecond),
    number(p50),
    number(p99),
    number(cpuMicros),
    String(failed),
  ]);
  const at = (callers: number) => rows.find((row) => row.name === decrypts && row.callers === callers);
  const [one, many] = [at(1), at(targets.atCallers)];
  return [
    '## Decrypting a credential',
    '',
    'POST /api/v1/credentials/:id/decrypt of a real vault on PostgreSQL, through a real enclave in its jail: token and',
    'revocation are checked, the row is read, the audit record is signed and on disk, then the plaintext is answered.',
    'CPU is that of vault, enclave and database together; the caller is a lean client in the process of the benchmark,',
    'on the same cores. Medians of interleaved rounds.',
    '',
    table(['', 'callers', 'per s', 'p50 ms', 'p99 ms', 'CPU µs', 'failed'], cells),
    '',
    ...(many === undefined
      ? []
      : [
          verdict(
            many.perSecond >= targets.perSecond,
            `${number(many.perSecond)} a second at ${many.callers} callers (at least ${number(targets.perSecond)})`,
          ),
        ]),
    ...(one === undefined
      ? []
      : [verdict(one.p50 < targets.p50, `p50 ${number(one.p50)} ms at one caller (below ${targets.p50})`)]),
  ].join('\n');
}
