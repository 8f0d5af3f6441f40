/** In milliseconds. */
export const limits = {
  element: 5000,
  navigation: 30_000,
  /** Until a page lets itself be left, and again until it has been. */
  leaving: 8000,
  waiting: 30_000,
  settling: 10_000,
  script: 10_000,
  /** Until a page whose request waits for a person has ended the task that made it: one that waits for the answer never does. */
  task: 1000,
  /** Until what moves in a page stands still, so that its picture is taken. */
  moving: 2500,
} as const;

/** Most that `extract` answers, in characters. */
export const maxText = 1024 * 1024;
