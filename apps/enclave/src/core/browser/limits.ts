/** Time limits, in milliseconds. */
export const limits = {
  element: 5000,
  navigation: 30_000,
  /**
   * How long a page may delay a navigation away from it (`beforeunload`), and then how long the navigation
   * may take.
   */
  leaving: 8000,
  waiting: 30_000,
  settling: 10_000,
  script: 10_000,
  /**
   * How long a page whose request is held may take to finish the task that sent it; a task that waits
   * synchronously for the response never finishes.
   */
  task: 1000,
  /** How long a screenshot waits for animations to finish. */
  moving: 2500,
} as const;

/** Most that `extract` answers, in characters. */
export const maxText = 1024 * 1024;
