import { Canceller } from '@countersign/service/cancellation';
import { systemTimers, type Timers } from '@countersign/service/timers';

/** Resolves when `work` is done, or after `ms`. */
export async function within(
  work: Promise<unknown>,
  ms: number,
  { pause }: Pick<Timers, 'pause'> = systemTimers,
): Promise<void> {
  const over = new Canceller();
  await Promise.race([work, pause(ms, over)]);
  over.abort();
}
