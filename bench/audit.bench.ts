// what the audit log costs: durable signed appends, offline verification, proofs, each beside the limits below it
import { parseArgs } from 'node:util';
import { measureAppends } from './src/audit-appends.ts';
import { measureProofs } from './src/audit-proofs.ts';
import { reportAppends, reportProofs, reportVerification } from './src/audit-report.ts';
import { measureVerification } from './src/audit-verification.ts';
import { describeMachine } from './src/machine.ts';
import { headOf, saveResults } from './src/results.ts';

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
type Outcome = { readonly text: string; readonly data: object };

/** In the order in which they run and are reported. */
const parts: Readonly<Record<string, (options: Options) => Promise<Outcome>>> = {
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

/** Runs the benchmark; gives the exit code. Speed is reported, never asserted: only a broken run fails. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(help);
    return 0;
  }
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(`bench audit: ${options}\n\n${help}`);
    return 2;
  }
  const machine = describeMachine();
  const texts: string[] = [];
  const data: Record<string, object> = {};
  for (const [name, run] of Object.entries(parts)) {
    if ((options.only ?? name) !== name) continue;
    const outcome = await run(options);
    texts.push(outcome.text);
    data[name] = outcome.data;
  }
  const text = [headOf('Audit log', machine), ...texts].join('\n\n');
  console.log(text);
  if (options.save) console.log(`\nsaved as ${saveResults('audit', machine, text, data)}`);
  return 0;
}

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({ args: [...args], options: argumentTypes });
    const only = values.only ?? null;
    if (only !== null && !(only in parts)) return `--only is one of ${Object.keys(parts).join(', ')}`;
    return {
      only,
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      leaves: Number(values.leaves),
      dir: values.dir ?? null,
      save: !values['no-save'],
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const argumentTypes = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  leaves: { type: 'string', default: '10000000' },
  dir: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;
