/**
 * How long a caller waits for its own tenant's turn: `line` queues, up to a limit; `alone` waits only for
 * other tenants.
 */
export type Patience = 'line' | 'alone';

/** Takes a turn for a tenant and does something in it; null, and nothing was done, where its tenant has more to do than the caller waits for. */
export type TakeTurn = <T>(
  tenantId: string,
  work: () => Promise<T>,
  patience?: Patience,
) => Promise<T> | null;

/** Runs tasks one at a time, round-robin over tenants: a tenant with many tasks delays only itself. */
export function fairTurns(maxWaiting: number): TakeTurn {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let served: string | null = null;

  async function serve(): Promise<void> {
    if (served !== null) return;
    // Of the tenant that waited longest; its next one stands behind those of all others.
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [tenantId, [first, ...others]] = next;
      waiting.delete(tenantId);
      if (others.length > 0) waiting.set(tenantId, others);
      served = tenantId;
      await first?.();
    }
    served = null;
  }

  return (tenantId, work, patience = 'line') => {
    const mine = waiting.get(tenantId) ?? [];
    const isBusy = patience === 'alone' ? mine.length > 0 || served === tenantId : mine.length >= maxWaiting;
    if (isBusy) return null;
    return new Promise((resolve, reject) => {
      // INVARIANT: a turn never throws, neither at once nor later; otherwise nobody would have a turn any more.
      const turn = async () => work();
      waiting.set(tenantId, [...mine, () => turn().then(resolve, reject)]);
      void serve();
    });
  };
}
