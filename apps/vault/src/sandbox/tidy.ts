import type { Pool } from '@countersign/service/sql';
import { forgetReplacedValues } from '../credentials/replaced-values.ts';
import type { SessionEvents } from './follow.ts';
import { interruptOperationsBefore } from './operation-store.ts';
import { forgetSessionsBefore } from './session-store.ts';

/** Longer than any operation takes: nobody waits for it any more. */
const maxOperationMs = 5 * 60_000;
/** So long a session and its operations can be looked up after its end; the audit log keeps its records for ever. */
const keptMs = 30 * 24 * 60 * 60_000;

/** Applies the passing of time: sessions expire, operations are lost, and old ones are deleted. */
export const tidySessions =
  (pool: Pool, events: Pick<SessionEvents, 'compare'>, now: () => Date) => async (): Promise<void> => {
    const before = (ms: number) => new Date(now().getTime() - ms);
    await interruptOperationsBefore(pool, before(maxOperationMs));
    await forgetSessionsBefore(pool, before(keptMs));
    await forgetReplacedValues(pool, now());
    await events.compare();
  };
