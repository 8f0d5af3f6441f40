import { figuresOf, stoppedAt, stoppedRequest } from '../../packages/review/test/corpus/figures.ts';
import { great, judgeGreat } from '../../packages/review/test/corpus/great.ts';
import { forbidden, harmless, logins, notLogins } from '../../packages/review/test/corpus/read-corpus.ts';

export type ReviewData = {
  readonly figures: ReturnType<typeof figuresOf>;
  /** Milliseconds of each judgement. */
  readonly operations: readonly number[];
  readonly requests: readonly number[];
  /** Milliseconds of the fastest of several judgements of an input, and of one twice and four times as large. */
  readonly growth: readonly { readonly name: string; readonly times: readonly number[] }[];
};

const timed = (act: () => unknown): number => {
  const begin = performance.now();
  act();
  return performance.now() - begin;
};

/** The corpus judged, and timed item by item once it has been judged warm. */
export function measureReview(rounds: number): ReviewData {
  const figures = figuresOf();
  const items = [...logins, ...notLogins, ...harmless, ...forbidden];
  const operations: number[] = [];
  const requests: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const item of items) {
      for (const review of item.reviews)
        operations.push(timed(() => stoppedAt({ ...item, reviews: [review] })));
      if (item.sent !== null) requests.push(timed(() => stoppedRequest(item)));
    }
  return { figures, operations, requests, growth: Object.entries(great).map(grow) };
}

const sizes = [1, 2, 4];
const tries = 7;

const grow = ([name, make]: [string, (typeof great)[string]]) => ({
  name,
  times: sizes.map((size) => {
    const input = make(size);
    return Math.min(...Array.from({ length: tries }, () => timed(() => judgeGreat(input))));
  }),
});
