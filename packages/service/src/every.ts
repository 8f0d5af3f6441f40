/** Calls `work` each time so many ms have passed, until the function that it gives is called. */
export type Every = (ms: number, work: () => void) => () => void;

/** By the machine's clock; keeps no process alive. */
export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
};
