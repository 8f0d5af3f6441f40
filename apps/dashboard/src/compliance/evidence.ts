import type { Pool } from '@countersign/service/sql';
import { newId, type RandomBytes } from '../ids.ts';
import type { Sealer } from './seal.ts';
import {
  type Asked,
  findNewest,
  keepScreening,
  keepScreeningOnce,
  type Outcome,
  type ScreeningRecord,
} from './screening-store.ts';

/**
 * What providers answered, kept so that a verdict can be shown later with what it was made from. It is the memory of
 * answers too: whichever process asked, all know.
 */
export type Evidence = {
  /** Keeps the answer to a question of that time; what the provider sent is sealed. */
  readonly keep: (asked: Asked, outcome: Outcome, about: Answered) => Promise<ScreeningRecord>;
  /** Keeps an answer of a list of our own, unless the last hour's says the same. */
  readonly keepOnce: (asked: Asked, outcome: Outcome) => Promise<ScreeningRecord>;
  /** The answer to the newest question, if it may still be used. */
  readonly recall: (asked: Asked) => Promise<ScreeningRecord | null>;
};

export type Answered = { readonly askedAt: Date; readonly raw: string | null };

const minuteMs = 60_000;
/** So long an answer may be used again. No answer is never used again. */
const usableMs: Readonly<Record<Outcome['verdict'], number>> = {
  pass: 60 * minuteMs,
  approved: 60 * minuteMs,
  reject: 5 * minuteMs,
  rejected: 5 * minuteMs,
  // Somebody waits for it, but a busy gateway must not turn that wait into a flood.
  pending: minuteMs / 2,
  unavailable: 0,
};

type Parts = {
  readonly pool: Pool;
  /** Null where only lists of our own are asked. */
  readonly sealer: Sealer | null;
  readonly now: () => Date;
  readonly random: RandomBytes;
};

export function createEvidence({ pool, sealer, now, random }: Parts): Evidence {
  const recordOf = (asked: Asked, outcome: Outcome, screenedAt: Date): ScreeningRecord => ({
    ...asked,
    ...outcome,
    id: newId(random, 'scr'),
    screenedAt,
  });
  return {
    async keep(asked, outcome, { askedAt, raw }) {
      const record = recordOf(asked, outcome, askedAt);
      if (raw !== null && sealer === null) throw new Error('there is no key to seal evidence with');
      await keepScreening(pool, record, raw === null ? null : (sealer?.seal(raw, record.id) ?? null));
      return record;
    },

    async keepOnce(asked, outcome) {
      const record = recordOf(asked, outcome, now());
      await keepScreeningOnce(pool, record);
      return record;
    },

    async recall(asked) {
      const record = await findNewest(pool, asked);
      // A clock that was put back must not make an answer usable for longer.
      const usable =
        record !== null && Math.abs(now().getTime() - record.screenedAt.getTime()) < usableMs[record.verdict];
      return usable ? record : null;
    },
  };
}
