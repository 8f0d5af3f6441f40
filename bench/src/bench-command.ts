import { describeMachine } from './machine.ts';
import { headOf, saveResults } from './results.ts';

/** What a benchmark found out: the text of its report, and the numbers behind it. */
export type Outcome = {
  readonly text: string;
  readonly data: object;
  /** A sentence for each row that did not do what was to be measured. */
  readonly broken?: readonly string[];
};

/** A benchmark as a command of its own. */
export type BenchCommand<Options extends { readonly save: boolean }> = {
  /** Of the command and of its results. */
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** The options, or what is wrong with them; may throw what `parseArgs` throws. */
  readonly readOptions: (args: readonly string[]) => Options | string;
  readonly measure: (options: Options) => Promise<Outcome>;
};

/** Runs a benchmark; gives the exit code. Speed is reported, never asserted: only a broken run fails. */
export async function runBench<Options extends { readonly save: boolean }>(
  { name, title, help, readOptions, measure }: BenchCommand<Options>,
  args: readonly string[],
): Promise<number> {
  if (args.includes('--help')) {
    console.log(help);
    return 0;
  }
  const options = orWhyNot(() => readOptions(args));
  if (typeof options === 'string') {
    console.error(`bench ${name}: ${options}\n\n${help}`);
    return 2;
  }
  const machine = describeMachine();
  const outcome = await measure(options);
  const text = `${headOf(title, machine)}\n\n${outcome.text}`;
  console.log(text);
  if (outcome.broken !== undefined && outcome.broken.length > 0) {
    for (const row of outcome.broken) console.error(`bench ${name}: BROKEN: ${row}`);
    console.error(`bench ${name}: nothing is saved: what is above compares calls that failed.`);
    return 1;
  }
  if (options.save) console.log(`\nsaved as ${saveResults(name, machine, text, outcome.data)}`);
  return 0;
}

function orWhyNot<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The parts of a benchmark, in the order in which they run and are reported. */
export type Parts<Context extends readonly unknown[]> = Readonly<
  Record<string, (...context: Context) => Promise<Outcome>>
>;

/** Runs one part, or all of them where `only` is null. */
export async function measureParts<Context extends readonly unknown[]>(
  parts: Parts<Context>,
  only: string | null,
  ...context: Context
): Promise<Outcome> {
  const texts: string[] = [];
  const data: Record<string, object> = {};
  const broken: string[] = [];
  for (const [name, run] of Object.entries(parts)) {
    if ((only ?? name) !== name) continue;
    const outcome = await run(...context);
    texts.push(outcome.text);
    data[name] = outcome.data;
    broken.push(...(outcome.broken ?? []));
  }
  return { text: texts.join('\n\n'), data, broken };
}

/** What is wrong with the choice of a part, or null. */
export const whyNoPart = (parts: object, only: string | null): string | null =>
  only === null || only in parts ? null : `--only is one of ${Object.keys(parts).join(', ')}`;
