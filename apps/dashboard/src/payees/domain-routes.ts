import { ok } from '@countersign/protocol/result';
import type { DashboardHandlers } from '../callers.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { refusal } from '../refusal.ts';
import { notFound, type PayeeParts, showOne } from './answers.ts';
import { checkDomain } from './check-domain.ts';
import { factsOf } from './payee.ts';
import { findPayee } from './store.ts';

/** Handles checks of records' domains. */
export function domainHandlers(parts: PayeeParts): Pick<DashboardHandlers, 'checkPayeeDomain'> {
  const { pool, fourEyes, now } = parts;
  return {
    async checkPayeeDomain({ params, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      const id = params['id'] ?? '';
      const row = await findPayee(pool, id, now());
      if (row === null) return notFound();
      if (row.state === 'withdrawn') return refusal('REPEATED_SUBMIT', 'the record is withdrawn');
      const { shown: counts, proposal } = row;
      await checkDomain(parts, id, factsOf(counts));
      if (proposal !== null && proposal.version !== counts.version)
        await checkDomain(parts, id, factsOf(proposal));
      const shown = await showOne(pool, fourEyes, id, now());
      return shown === null ? notFound() : ok({ payee: shown });
    },
  };
}
