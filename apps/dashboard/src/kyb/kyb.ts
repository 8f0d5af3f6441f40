import type { BusinessCheck } from '@countersign/protocol/dashboard/kyb';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import type { Evidence } from '../compliance/evidence.ts';
import { guard } from '../compliance/guard.ts';
import { whyOf } from '../compliance/kyt.ts';
import type { Identity, KybSubject, KybVendor, Unavailable } from '../screening/ports.ts';
import { findCheck, keepAnswer, noteTried, numberQuestion } from './store.ts';

/** Checks of businesses by the chosen provider. Each answer is kept. */
export type Kyb = {
  readonly provider: string;
  /** Begins a check that is on record. */
  readonly start: (subject: KybSubject) => Promise<BusinessCheck | null | Unavailable>;
  /** Asks how a check stands; null where there is none of this provider. */
  readonly read: (checkId: string) => Promise<BusinessCheck | null | Unavailable>;
  readonly readWebhook: KybVendor['readWebhook'];
  readonly state: () => 'up' | 'down';
};

type Parts = {
  readonly pool: Pool;
  readonly evidence: Evidence;
  readonly now: () => Date;
  readonly log: Logger;
};

export function createKyb(vendor: KybVendor, { pool, evidence, now, log }: Parts): Kyb {
  const starting = guard(vendor.start, ({ checkId }) => checkId, now);
  const looking = guard(vendor.look, (checkId) => checkId, now);

  async function keep(checkId: string, asking: () => Promise<Identity | Unavailable>) {
    const [asked, askedAt] = [await numberQuestion(pool), now()];
    const answer = await asking();
    const unavailable = answer.kind === 'unavailable';
    if (unavailable && answer.why === 'resting') return answer;
    const about = { kind: 'kyb', provider: vendor.id, subject: checkId, chain: '' } as const;
    const outcome = unavailable
      ? { ...nothingMore, verdict: 'unavailable' as const, requestId: null, why: whyOf(answer) }
      : { ...nothingMore, verdict: answer.status, requestId: answer.requestId, why: null };
    // Never what was sent: the provider keeps its file under the name that we note.
    await evidence.keep(about, outcome, { askedAt, raw: null });
    if (unavailable) {
      await noteTried(pool, checkId, askedAt);
      return answer;
    }
    await keepAnswer(pool, checkId, answer, { asked, askedAt, now: now() });
    log.info({ provider: vendor.id, check: checkId, status: answer.status }, 'a business was checked');
    return findCheck(pool, checkId);
  }

  return {
    provider: vendor.id,
    readWebhook: vendor.readWebhook,
    start: (subject) => keep(subject.checkId, () => starting.ask(subject)),
    async read(checkId) {
      const found = await findCheck(pool, checkId);
      if (found?.provider !== vendor.id) return null;
      return keep(checkId, () => looking.ask(checkId));
    },
    state: () => (looking.isUp() && starting.isUp() ? 'up' : 'down'),
  };
}

const nothingMore = {
  riskLevel: null,
  riskScore: null,
  attribution: null,
  source: null,
  listDate: null,
} as const;

export const isUnavailable = (answer: BusinessCheck | null | Unavailable): answer is Unavailable =>
  answer !== null && 'kind' in answer;
