// what the audit log costs: durable signed appends, offline verification, proofs, each beside the limits below it
import { parseArgs } from 'node:util';
import { measureAppends } from './src/audit-appends.ts';
import { measureProofs } from './src/audit-proofs.ts';
import { reportAppends, reportProofs, reportVerification } from './src/audit-report.ts';
import { measureVerification } from './src/audit-verification.ts';
import { measureParts, type Outcome, type Parts, runBench, whyNoPart } from './src/bench-command.ts';

const help = `Usage: npm run bench -- audit [OPTION]...

  --only PART        append, verify or proof; all three if absent
  --rounds N         rounds of append and verify (default 5)
  --seconds N        length of a round (default 2)
  --leaves N         size of the tree that proofs are taken from (default 10000000)
  --dir DIR          where the log is written (default the system's temporary folder)
  --no-save          print only
`;

type Options = {
  readonly only: string | null;
  readonly rounds: number;
  readonly seconds: number;
  readonly leaves: number;
  readonly dir: string | null;
  readonly save: boolean;
};

const parts: Parts<readonly [Options]> = {
  async append(options) {
    const data = await measureAppends(options);
    return { text: reportAppends(data), data };
  },
  async verify(options) {
    const data = await measureVerification(options);
    return { text: reportVerification(data), data };
  },
  async proof({ leaves }) {
    const data = measureProofs(leaves);
    return { text: reportProofs(data), data };
  },
};

export const main = (args: readonly string[]): Promise<number> =>
  runBench({ name: 'audit', title: 'Audit log', help, readOptions, measure }, args);

const measure = (options: Options): Promise<Outcome> => measureParts(parts, options.only, options);

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({ args: [...args], options: argumentTypes });
  const only = values.only ?? null;
  return (
    whyNoPart(parts, only) ?? {
      only,
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      leaves: Number(values.leaves),
      dir: values.dir ?? null,
      save: !values['no-save'],
    }
  );
}

const argumentTypes = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  leaves: { type: 'string', default: '10000000' },
  dir: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;
