/** Runs `work` once for all who ask for the same key while it runs. */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, work) => {
    const already = running.get(key);
    if (already !== undefined) return already;
    const promise = work().finally(() => running.delete(key));
    running.set(key, promise);
    return promise;
  };
}
