import type { BrokerCode } from './problem.ts';

/** The part of a response that has arrived. */
export type Came = {
  /** HTTP status, once the head was read; null before, and where no head can be read. */
  readonly status: number | null;
  /** Nothing of it is missing. */
  readonly isWhole: boolean;
  /** The definition documents that an answer like this says that nothing was done. */
  readonly isDocumented: boolean;
};

/** Whether the service did what it was asked for. */
export type Means = 'done' | 'not_done' | 'unclear';

export type Outcome = {
  /** From and to, both included; null: any, and none. */
  readonly status: readonly [from: number, to: number] | null;
  readonly only?: 'whole' | 'documented';
} & (
  | { readonly means: 'done' | 'unclear' }
  | { readonly means: 'not_done'; readonly code: Extract<BrokerCode, 'not_followed' | 'target_error'> }
);

/**
 * What answers mean; the first row that fits counts. A client error says that it is the request that cannot be done, 501 and 505
 * that the service does no such thing (RFC 9110, 15.5 and 15.6). 408 and 429 are often said by something in between after the
 * service had it, and other server errors may come in the middle of the work.
 */
export const outcomes: readonly Outcome[] = [
  { status: [200, 299], only: 'whole', means: 'done' },
  { status: [300, 399], means: 'not_done', code: 'not_followed' },
  { status: [400, 599], only: 'documented', means: 'not_done', code: 'target_error' },
  { status: [408, 408], means: 'unclear' },
  { status: [429, 429], means: 'unclear' },
  { status: [400, 499], means: 'not_done', code: 'target_error' },
  { status: [501, 501], means: 'not_done', code: 'target_error' },
  { status: [505, 505], means: 'not_done', code: 'target_error' },
  { status: null, means: 'unclear' },
];

/** Returns what a response means for the action, complete or not. */
export function outcomeOf(came: Came): Outcome {
  const found = outcomes.find(
    ({ status, only }) =>
      (only === undefined || (only === 'whole' ? came.isWhole : came.isDocumented)) && isIn(status, came),
  );
  return found ?? { status: null, means: 'unclear' };
}

const isIn = (range: Outcome['status'], { status }: Came): boolean =>
  range === null || (status !== null && range[0] <= status && status <= range[1]);
