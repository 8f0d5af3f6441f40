import { parseAddress } from '@countersign/protocol/address';
import type { payeeRoutes } from '@countersign/protocol/dashboard/payee-routes';
import { ok } from '@countersign/protocol/result';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers } from '../callers.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { newId } from '../ids.ts';
import { refusal } from '../refusal.ts';
import { type About, agreeTo, change, create, type PayeeDecided, withdraw } from './decide.ts';
import { domainHandlers } from './domain-routes.ts';
import { fileHandlers } from './file-routes.ts';
import { importHandlers } from './import-routes.ts';
import { reviewHandlers } from './review-routes.ts';
import { notFound, type PayeeParts, showAll, showOne, whyNotAdmitted, whyNotInTime } from './answers.ts';
import { showPayee } from './payee.ts';
import { findPayee, listPayees } from './store.ts';
import { recordOn } from './vouching.ts';

/** Business records, their evidence and the reviews that lead to them. */
export const payeeHandlers = (parts: PayeeParts): Pick<DashboardHandlers, keyof typeof payeeRoutes> => ({
  ...readingHandlers(parts),
  ...decidingHandlers(parts),
  ...importHandlers(parts),
  ...fileHandlers(parts),
  ...domainHandlers(parts),
  ...reviewHandlers(parts),
});

function readingHandlers({
  pool,
  kyc,
  fourEyes,
  chain,
  now,
}: PayeeParts): Pick<DashboardHandlers, 'listPayees' | 'getPayee' | 'payeeOfAddress' | 'payeeName'> {
  const { operators } = fourEyes;
  return {
    async listPayees({ body: { state, page = 1, limit = 20 }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { items, total } = await listPayees(pool, state, { page, limit }, now());
      return ok({ data: await showAll(pool, fourEyes, items), total, page, limit });
    },

    async getPayee({ params, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const shown = await showOne(pool, fourEyes, params['id'] ?? '', now());
      return shown === null ? notFound() : ok({ payee: shown });
    },

    async payeeName({ params }) {
      const address = parseAddress(params['address'] ?? '');
      if (address === null) return notAnAddress;
      const { vouching, payeeId } = await recordOn(pool, address, chain, now());
      const row = vouching !== 'VOUCHED' ? null : await findPayee(pool, payeeId ?? '', now());
      if (row === null) return ok({ address, business: null });
      const { legalName, domain, validUntil } = showPayee(row, undefined);
      return ok({ address, business: { legalName, domain, validUntil } });
    },

    async payeeOfAddress({ params, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const address = parseAddress(params['address'] ?? '');
      if (address === null) return notAnAddress;
      const { vouching, payeeId } = await recordOn(pool, address, chain, now());
      const shown = payeeId === null ? null : await showOne(pool, fourEyes, payeeId, now());
      const known = vouching === 'VOUCHED' ? await kyc.lookUp(address) : null;
      const rejected = known?.kind === 'known' && known.status === 'rejected';
      return ok({ address, vouching: rejected ? 'OWNER_NOT_APPROVED' : vouching, payee: shown });
    },
  };
}

const notAnAddress = refusal('INVALID_PARAM', 'address: must be a 0x-prefixed address');

function decidingHandlers(
  parts: PayeeParts,
): Pick<DashboardHandlers, 'createPayee' | 'changePayee' | 'admitPayee' | 'withdrawPayee'> {
  const { pool, fourEyes, now, random, log } = parts;
  const aboutNow = (by: Account): About => ({ by, fourEyes, now: now() });
  const answer = async (decided: PayeeDecided, id: string, by: Account, deed: string) => {
    const refused = whyNotAdmitted(decided);
    if (refused !== null) return refused;
    log.info(
      { payee: id, deed, effective: decided.kind === 'done', operator: by.walletAddress },
      'a payee was decided',
    );
    const shown = await showOne(pool, fourEyes, id, now());
    return shown === null ? notFound() : ok({ payee: shown });
  };
  return {
    async createPayee({ body: { reason, ...facts }, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      const late = whyNotInTime(facts, now());
      if (late !== null) return refusal('INVALID_PARAM', `validUntil: ${late}`);
      const id = newId(random, 'pay');
      const { decided } = await create(pool, [{ id, facts, reason }], aboutNow(account));
      return answer(decided, id, account, 'admit');
    },

    async changePayee({ params, body: { version, reason, seenRejections, ...facts }, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      const late = whyNotInTime(facts, now());
      if (late !== null) return refusal('INVALID_PARAM', `validUntil: ${late}`);
      const id = params['id'] ?? '';
      return answer(
        await change(pool, { id, version, facts, reason, seenRejections }, aboutNow(account)),
        id,
        account,
        'change',
      );
    },

    async admitPayee({ params, body, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      const id = params['id'] ?? '';
      return answer(await agreeTo(pool, { id, ...body }, aboutNow(account)), id, account, 'admit');
    },

    async withdrawPayee({ params, body: { reason }, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      const id = params['id'] ?? '';
      return answer(await withdraw(pool, { id, reason }, aboutNow(account)), id, account, 'withdraw');
    },
  };
}
