import { outcomeOf, type Outcome } from './outcome.ts';

/** A request that left, and what came of it so far. */
export type Sent = {
  /** It may change the service, and once more would change it again. */
  readonly acts: boolean;
  /** It is the action itself, not what a client says besides. */
  readonly isAction: boolean;
  readonly status: number | null;
  readonly outcome: Outcome;
};

const unanswered = outcomeOf({ status: null, isWhole: false, isDocumented: false });

/** The requests that one run has sent. */
export class SentRequests {
  readonly #all: Sent[] = [];

  /** Before it leaves. Gives what its answer is told to, as often as more of it is known. */
  add(about: Pick<Sent, 'acts' | 'isAction'>): (came: Pick<Sent, 'status' | 'outcome'>) => void {
    const place = this.#all.push({ ...about, status: null, outcome: unanswered }) - 1;
    return (came) => {
      this.#all[place] = { ...about, ...came };
    };
  }

  /** Whether something may have changed the service. */
  get mayHaveActed(): boolean {
    return this.#all.some(({ acts, outcome }) => acts && outcome.means !== 'not_done');
  }

  /** Whether something may have changed the service, and nobody said whether it did. */
  get isOpen(): boolean {
    return this.#all.some(({ acts, outcome }) => acts && outcome.means === 'unclear');
  }

  /** The last request that was the action itself; null where none was. */
  get action(): Sent | null {
    return this.#all.findLast(({ isAction }) => isAction) ?? null;
  }

  /** HTTP status that the action was answered with, or where it was not asked for what came last. */
  get status(): number | null {
    return (this.action ?? this.#all.at(-1))?.status ?? null;
  }
}
