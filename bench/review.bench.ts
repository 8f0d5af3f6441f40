// what the review of operations and requests lets pass and stops, over its corpus, and what it costs
import { parseArgs } from 'node:util';
import { describeMachine } from './src/machine.ts';
import { headOf, saveResults } from './src/results.ts';
import { measureReview } from './src/review.ts';
import { reportReview } from './src/review-report.ts';

const help = `Usage: npm run bench -- review [OPTION]...

  --rounds N         times that each item of the corpus is judged (default 20)
  --no-save          print only
`;

/** Runs the benchmark; gives the exit code. Figures are reported, never asserted: only a broken run fails. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(help);
    return 0;
  }
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(`bench review: ${options}\n\n${help}`);
    return 2;
  }
  const machine = describeMachine();
  const data = measureReview(options.rounds);
  const text = [headOf('Review', machine), reportReview(data)].join('\n\n');
  console.log(text);
  if (options.save) console.log(`\nsaved as ${saveResults('review', machine, text, data)}`);
  return 0;
}

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: argumentTypes });
    return { rounds: Number(values.rounds), save: !values['no-save'] };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const argumentTypes = {
  rounds: { type: 'string', default: '20' },
  'no-save': { type: 'boolean', default: false },
} as const;
