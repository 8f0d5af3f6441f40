import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import type { Pool } from '@countersign/service/sql';
import type { Kyb } from './kyb.ts';
import { dueChecks, noteTried } from './store.ts';

type Parts = { readonly pool: Pool; readonly kyb: Kyb; readonly now: () => Date; readonly log: Logger };

const inATurn = 100;

/** Reads checks again now and then, so that a provider's no is heard without a webhook too. */
export const startKybChecks = (parts: Parts): Service =>
  repeat(parts.log, 'read checks of businesses again', 300_000, () => readDue(parts));

/**
 * Refreshes checks one at a time, so as not to flood the provider. One that fails waits for its next turn.
 */
export async function readDue({ pool, kyb, now, log }: Parts): Promise<void> {
  for (const id of await dueChecks(pool, kyb.provider, inATurn, now())) {
    try {
      const answer = await kyb.read(id);
      // It rests: the others wait with it.
      if (answer !== null && 'kind' in answer && answer.why === 'resting') return;
    } catch (error) {
      log.warn({ err: error, check: id }, 'a check of a business could not be read');
      await noteTried(pool, id, now());
    }
  }
}
