/**
 * Interval between pings in milliseconds, and the number of unanswered ones after which the peer counts as
 * gone.
 */
const [everyMs, maxUnanswered] = [250, 20];

type Asking = {
  readonly ask: () => void;
  /** Called once, when it has not answered for 5 s. */
  readonly onSilent: () => void;
};

export type Answers = {
  /** It has answered. */
  readonly heard: () => void;
  /** Asks no more; gives the milliseconds from the beginning to the last answer. */
  readonly end: () => number;
};

/**
 * Asks four times a second. Questions are counted, not time: where this process was held up itself, as by a machine that
 * slept, nobody had the time to answer.
 */
export function watchAnswers({ ask, onSilent }: Asking): Answers {
  const begunAt = performance.now();
  let [unanswered, lastAt] = [0, begunAt];
  const timer = setInterval(() => {
    if (unanswered === maxUnanswered) {
      clearInterval(timer);
      return onSilent();
    }
    unanswered += 1;
    ask();
  }, everyMs);
  return {
    heard: () => {
      [unanswered, lastAt] = [0, performance.now()];
    },
    end: () => {
      clearInterval(timer);
      return lastAt - begunAt;
    },
  };
}
