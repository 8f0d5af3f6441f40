/**
 * Turns calls about one thing into calls about many: what is asked for while `run` is busy goes along with its next
 * run. There is no timer, so a lone call runs at once. `run` takes at most `most` items, in the order in which they
 * came, and answers in that order; where it throws, all of that run are rejected.
 */
export function gathering<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  most: number,
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  let busy = false;

  async function runAll(): Promise<void> {
    busy = true;
    while (waiting.length > 0) await runSome(run, waiting.splice(0, most));
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void runAll();
    });
}

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
};

async function runSome<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  asked: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await run(asked.map(({ item }) => item));
    if (answers.length !== asked.length) throw new Error('a gathered run answered another number of items');
    for (const [i, answer] of answers.entries()) asked[i]?.resolve(answer);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
