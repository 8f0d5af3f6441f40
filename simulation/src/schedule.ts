/** Whoever waits for an event: once dead, it hears of nothing any more. */
export type Life = { readonly name: string; isAlive: boolean };

type Event = {
  /** Milliseconds of the simulation. */
  readonly at: number;
  readonly order: number;
  readonly life: Life;
  readonly what: string;
  readonly run: () => void;
  /** Comes again and again, whatever happens: does not keep the world from coming to rest. */
  readonly isIdle: boolean;
  isCancelled: boolean;
};

type Step = Pick<Event, 'life' | 'what'>;

/** What is to happen, by simulated time. One event runs at a time; what comes of it runs before the next. */
export class Schedule {
  #now: number;
  #order = 0;
  /** The next is the last one. */
  readonly #events: Event[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  get now(): number {
    return this.#now;
  }

  /** Runs `run` in so many ms, unless its life has ended by then, or the function that this gives was called. */
  in(ms: number, life: Life, what: string, run: () => void, isIdle = false): () => void {
    const event = { at: this.#now + ms, order: this.#order++, life, what, run, isIdle, isCancelled: false };
    let at = this.#events.length;
    while (at > 0 && isAfter(event, this.#events[at - 1] as Event)) at -= 1;
    this.#events.splice(at, 0, event);
    return () => {
      event.isCancelled = true;
    };
  }

  /** Runs the next event, and tells which it was; null when there is none. */
  step(): Step | null {
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      if (event.isCancelled || !event.life.isAlive) continue;
      this.#now = Math.max(this.#now, event.at);
      event.run();
      return event;
    }
    return null;
  }

  /** Whether nothing is under way but what comes again by itself and is not due, or lies further ahead than so many ms. */
  isAtRest(horizonMs: number): boolean {
    return this.#events.every(
      ({ life, isIdle, isCancelled, at }) =>
        isCancelled || !life.isAlive || at > this.#now + (isIdle ? 0 : horizonMs),
    );
  }

  /** Time passes in which nothing runs, as on a machine that slept. What was due meanwhile runs next, once. */
  jump(ms: number): void {
    this.#now += ms;
  }
}

const isAfter = (one: Event, other: Event): boolean =>
  one.at > other.at || (one.at === other.at && one.order > other.order);
