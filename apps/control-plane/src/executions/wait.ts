import type { Pool } from '@countersign/service/sql';
import type { Signals } from '../signals.ts';
import { endedSignal } from './end.ts';
import { isEnded } from './life.ts';
import { findExecution, type StoredExecution } from './store.ts';

/** Waits until an execution ended, for so many ms at most; as it is then. */
export type WaitForEnd = (execution: StoredExecution, maxMs: number) => Promise<StoredExecution>;

/** Signals may be missed; then its state is seen after so long. */
const lookEveryMs = 2_000;

export function createWaitForEnd(pool: Pool, signals: Pick<Signals, 'on'>): WaitForEnd {
  const waiting = new Map<string, () => void>();
  signals.on((signal) => {
    if (signal === null) for (const wake of waiting.values()) wake();
    else waiting.get(signal)?.();
  });

  /** Resolves at the next signal, or after so long. */
  const nextSignal = (signal: string, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiting.set(signal, wake);
    });

  return async (execution, maxMs) => {
    const { id, tenantId } = execution;
    const deadline = performance.now() + maxMs;
    const signal = endedSignal(id);
    try {
      for (;;) {
        // Listened for before it is looked at: nothing is missed in between.
        const left = deadline - performance.now();
        const heard = nextSignal(signal, Math.max(0, Math.min(left, lookEveryMs)));
        const found = (await findExecution(pool, tenantId, id)) ?? execution;
        if (isEnded(found.status) || left <= 0) return found;
        await heard;
      }
    } finally {
      waiting.get(signal)?.();
      waiting.delete(signal);
    }
  };
}
