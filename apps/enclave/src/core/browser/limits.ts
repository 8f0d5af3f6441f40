/** In milliseconds. */
export const limits = {
  element: 5000,
  navigation: 30_000,
  /** How long a page may hold up a navigation away from it, and then how long that may take. */
  leaving: 8000,
  waiting: 30_000,
  settling: 10_000,
  script: 10_000,
  /** How long a page whose request is held may take to end the task that made it; a task that waits for the answer never ends. */
  task: 1000,
  /** How long a screenshot waits for animations to end. */
  moving: 2500,
} as const;

/** Most that `extract` answers, in characters. */
export const maxText = 1024 * 1024;
