import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Answers, type Question, questions, servicesIn } from './questions.ts';

/** Where questions go and answers come from. */
export type Dialogue = {
  readonly say: (text: string) => void;
  /** The next line; null when there is none any more. */
  readonly nextLine: () => Promise<string | null>;
  /** A person can be asked again; a pipe cannot. */
  readonly isPerson: boolean;
};

/** What a service says of a variable of its own in one sentence; null where it takes the value. This package knows none of them. */
export type Judge = (variable: string, value: string) => Promise<string | null>;

/** Asks what has to be known. `dialogue` null takes the default of each. The error is one sentence. */
export async function askAll(dialogue: Dialogue | null, judge: Judge): Promise<Result<Answers, string>> {
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const { name, of, otherwise } = question;
    const here = servicesIn(answers['services'] ?? '');
    const isAsked = of === undefined || of.some((service) => here.includes(service));
    if (dialogue === null || !isAsked) {
      answers[name] = otherwise;
      continue;
    }
    const answer = await askOne(question, dialogue, judge);
    if (!answer.ok) return answer;
    answers[name] = answer.value;
  }
  return ok(answers as Answers);
}

async function askOne(
  question: Question,
  { say, nextLine, isPerson }: Dialogue,
  judge: Judge,
): Promise<Result<string, string>> {
  const { ask, otherwise } = question;
  for (;;) {
    say(`${ask}${otherwise === '' ? '' : ` [${otherwise}]`}: `);
    const line = (await nextLine())?.trim();
    if (line === undefined) return fail(`the answers ended at “${ask}”: an empty line takes the default`);
    if (line === '') return ok(otherwise);
    const read = quotable.test(line) ? question.read(line) : fail('plain characters (ASCII), without quotes');
    const why = read.ok ? await judged(question, read.value, judge) : `“${ask}” wants ${read.error}`;
    if (read.ok && why === null) return read;
    if (!isPerson) return fail(`${why}`);
    say(read.ok ? `  ${why}.\n` : `  It has to be ${read.error}.\n`);
  }
}

const judged = async ({ variable }: Question, value: string, judge: Judge): Promise<string | null> =>
  variable === undefined ? null : judge(variable, value);

/** What stands in a file of variables as it is, whoever reads that: shells, Node, Compose, systemd. */
const quotable = /^[ !#-&(-[\]-_a-~]+$/;
