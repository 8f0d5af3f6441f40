import { parseArgs } from 'node:util';
import { putBack } from './bugs.ts';
import { replay, runSeeds } from './run.ts';

const help = `Usage: npm run simulate -- [OPTION]...

Runs the money path as a simulation: the gateway's own code, a dashboard, a merchant and a chain, in which a seed
decides the order of everything, what is lost, late or doubled, and who crashes when. After every step the budget, the
number of payments and the records are looked at. Without options: 1000 seeds from a new place.

  --seed N     tells every step of one seed: what a failure is replayed and understood with
  --from N     the first seed (default: seconds since 1970, so that each run looks somewhere else)
  --count N    how many seeds (default 1000)
  --bugs       puts each known bug back, and looks for the first seed that finds it
  --bug TEXT   with the bug whose name begins so put back; with --seed, replays what found it

Examples:
  npm run simulate -- --count 100000
  npm run simulate -- --seed 26
  npm run simulate -- --seed 26 --bug 'a retry is judged'

Ends with 1 when something is broken, and names the seed. A seed means the same until the simulation is changed.
`;

const progressEveryMs = 1000;

export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(`simulate: ${options}\n\n${help}`);
    return 2;
  }
  if (options.help) {
    console.log(help);
    return 0;
  }
  if (options.seed !== null) return tellSeed(options.seed, options.bug);
  return options.bugs ? lookForBugs(options) : look(options);
}

type Options = {
  readonly help: boolean;
  readonly seed: number | null;
  readonly from: number;
  readonly count: number;
  readonly bugs: boolean;
  readonly bug: (typeof putBack)[number] | undefined;
};

/** What is wrong with them, in words, where something is. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({ args: [...args], options: known });
    const bug =
      values.bug === undefined ? undefined : putBack.find(({ name }) => name.startsWith(values.bug ?? ''));
    if (values.bug !== undefined && bug === undefined) return `no bug is called ${values.bug}`;
    return {
      help: values.help === true,
      seed: values.seed === undefined ? null : wholeNumber('--seed', values.seed),
      from: wholeNumber('--from', values.from ?? String(Math.floor(Date.now() / 1000))),
      count: wholeNumber('--count', values.count ?? '1000'),
      bugs: values.bugs === true,
      bug,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const known = {
  seed: { type: 'string' },
  from: { type: 'string' },
  count: { type: 'string' },
  bugs: { type: 'boolean' },
  bug: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${name} is a whole number`);
  return Number(text);
}

async function tellSeed(seed: number, bug: Options['bug']): Promise<number> {
  const { steps, broken } = await replay(seed, (line) => console.log(line), bug);
  console.log(
    broken === null ? `seed ${seed}: ${steps} steps, nothing is broken` : `seed ${seed}: ${broken}`,
  );
  return broken === null ? 0 : 1;
}

async function look({ from, count, bug }: Options): Promise<number> {
  const begun = performance.now();
  const before = process.cpuUsage();
  const { done, steps, broken } = await runSeeds({ from, count, bug, onProgress: progress(count) });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  console.log(
    `${done} seeds from ${from}, ${steps} steps, ${((performance.now() - begun) / 1000).toFixed(1)} s;`,
    `${Math.round((60 * done) / seconds)} seeds in a minute of one core`,
  );
  if (broken === null) return 0;
  console.error(`seed ${broken.seed}: ${broken.why}\nnpm run simulate -- --seed ${broken.seed}`);
  return 1;
}

async function lookForBugs({ from, count }: Options): Promise<number> {
  let missed = 0;
  for (const bug of putBack) {
    const { done, broken } = await runSeeds({ from, count, bug, why: bug.why, onProgress: progress(count) });
    if (broken === null) missed += 1;
    const found = broken === null ? 'NOT FOUND' : `seed ${broken.seed}: ${broken.why}`;
    console.log(`${bug.name} (${bug.breaks})\n  after ${done} seeds, ${found}`);
  }
  return missed === 0 ? 0 : 1;
}

/** Says on stderr every second how far it is. */
function progress(count: number): (done: number) => void {
  let toldAt = performance.now();
  return (done) => {
    if (performance.now() - toldAt < progressEveryMs) return;
    toldAt = performance.now();
    process.stderr.write(`simulate: ${done} of ${count} seeds\n`);
  };
}
