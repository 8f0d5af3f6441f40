import type { Timers } from '@countersign/service/timers';
import type { Life, Schedule } from './schedule.ts';

/** The timers of one process, by the simulation's time. */
export const simulatedTimers = (schedule: Schedule, life: Life): Timers => ({
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const cancel = schedule.in(ms, life, 'a pause ends', resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      signal?.addEventListener('abort', end, { once: true });
    }),
  after: (ms, work) => schedule.in(ms, life, 'a timer fires', work),
  every(ms, work) {
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      schedule.in(ms, life, 'a timer fires again', again, true);
      work();
    };
    schedule.in(ms, life, 'a timer fires again', again, true);
    return () => {
      isOver = true;
    };
  },
});
