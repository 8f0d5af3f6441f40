/** Calls `work` each time so many ms have passed, until the function that it gives is called. */
export type Every = (ms: number, work: () => void) => () => void;

/** Uses the machine's clock; does not keep the process alive. */
export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
};
