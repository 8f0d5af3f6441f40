import { ok } from '@countersign/protocol/result';
import type { DashboardHandlers } from '../callers.ts';
import { deny, undeny } from './decide-denial.ts';
import { showWord, wordsOn } from './first-word.ts';
import { isOperator, operatorsOnly } from './operators.ts';
import type { DecisionParts } from './review-routes.ts';
import { listDenied } from './sanctions-store.ts';
import { whyNotDecided } from './why-not.ts';

/** The operators' own deny list. */
export function denyListHandlers(
  parts: Pick<DecisionParts, 'pool' | 'fourEyes' | 'now' | 'log'>,
): Pick<DashboardHandlers, 'addToDenyList' | 'removeFromDenyList' | 'listDenyList'> {
  const { pool, fourEyes, now, log } = parts;
  const { operators } = fourEyes;
  return {
    async addToDenyList({ body: { address, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const decided = await deny(pool, { address, reason }, { by: caller.account, now: now() });
      if (decided.kind !== 'done')
        return whyNotDecided(decided, 'there is nothing to deny', 'the address is already on the deny list');
      log.info({ address, reason, operator: caller.account.walletAddress }, 'added to the deny list');
      return ok({ address, reason });
    },

    async removeFromDenyList({ body: { address, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const about = { by: caller.account, now: now() };
      const decided = await undeny(pool, { address, reason }, fourEyes, about);
      if (decided.kind !== 'done' && decided.kind !== 'first')
        return whyNotDecided(
          decided,
          'the address is not on the deny list',
          'the address has already been removed',
        );
      const effective = decided.kind === 'done';
      log.info({ address, reason, effective, operator: about.by.walletAddress }, 'off the deny list');
      return ok({ address, firstWord: showWord(decided.kind === 'first' ? decided.word : undefined) });
    },

    async listDenyList({ body: { page = 1, limit = 20 }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { items, total } = await listDenied(pool, { page, limit });
      const addresses = items.map(({ address }) => address);
      const words = await wordsOn(pool, fourEyes, 'undeny', addresses);
      const data = items.map((entry) => ({
        ...entry,
        createdAt: entry.createdAt.toISOString(),
        firstWord: showWord(words.get(entry.address)),
      }));
      return ok({ data, total, page, limit });
    },
  };
}
