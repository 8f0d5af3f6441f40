import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Answers, type Question, questions, servicesIn } from './questions.ts';

/** The input and output of questions. */
export type Dialogue = {
  readonly say: (text: string) => void;
  /** The next line; null when there is none any more. */
  readonly nextLine: () => Promise<string | null>;
  /** A person can be asked again; a pipe cannot. */
  readonly isPerson: boolean;
};

/**
 * Returns a service's objection to the value of one of its variables; null if it accepts it. This package
 * knows no rules itself.
 */
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

/** A value that shells, Node, Compose and systemd all read unquoted. */
const quotable = /^[ !#-&(-[\]-_a-~]+$/;
