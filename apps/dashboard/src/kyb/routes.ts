import type { kybRoutes } from '@countersign/protocol/dashboard/kyb-routes';
import type { newBusinessCheck } from '@countersign/protocol/dashboard/kyb';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { openFacts } from '../business/sealed.ts';
import { showSubmission } from '../business/show.ts';
import { findSubmission, lockSubmission, type SubmissionRow } from '../business/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import { putOnRecord } from '../compliance/history.ts';
import { noAnswer } from '../compliance/no-answer.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { takeWebhook } from '../compliance/webhook-routes.ts';
import { newId } from '../ids.ts';
import { notFound, type PayeeParts, showOne } from '../payees/answers.ts';
import { factsOf, newestOf, type PayeeRow } from '../payees/payee.ts';
import { findPayee, handedIn, lockPayees, ownsOneOf } from '../payees/store.ts';
import { refusal } from '../refusal.ts';
import { isUnavailable, type Kyb } from './kyb.ts';
import { insertCheck } from './store.ts';

type KybParts = PayeeParts & {
  /** Null where operators alone check businesses. */
  readonly kyb: Kyb | null;
};

/** Checks of businesses by a provider. */
export const kybHandlers = (parts: KybParts): Pick<DashboardHandlers, keyof typeof kybRoutes> => ({
  ...startingHandlers(parts),
  ...readingHandlers(parts),
});

const noProvider = () =>
  refusal('BUSINESS_NOT_FOUND', 'no provider checks businesses here: its operator has not set KYB_PROVIDER');
const noSuchSubmission = () => refusal('BUSINESS_NOT_FOUND', 'submission not found, or it cannot be read');
const oneself = () => refusal('UNAUTHORIZED_OPERATION', 'nobody checks their own business');
const otherNumber = () =>
  refusal('INVALID_PARAM', 'registrationNumber: must be one of the registry numbers that it names');

type Wanted = z.output<typeof newBusinessCheck>;
type Checked = { readonly legalName: string; readonly registryNumbers: readonly string[] };
type About = Parameters<typeof insertCheck>[1]['about'];

/**
 * Puts the check on record, then begins it: what the provider was told is not done in secret. `whyNot` locks what it is about,
 * so that none begins of what is decided at this moment.
 */
function starter({ pool, now, random, log }: KybParts, kyb: Kyb) {
  return async (
    by: Account,
    about: About,
    { legalName }: Checked,
    { country, registrationNumber }: Wanted,
    whyNot: (db: Queryable) => Promise<ReturnType<typeof refusal> | null>,
  ) => {
    const checkId = newId(random, 'chk');
    const refused = await inTransaction(pool, async (db) => {
      const refused = await whyNot(db);
      if (refused !== null) return refused;
      await insertCheck(db, { id: checkId, provider: kyb.provider, about }, now());
      await putOnRecord(db, now(), {
        deed: 'check-business',
        by,
        effective: true,
        wallet: null,
        detail: {
          check: checkId,
          provider: kyb.provider,
          ...('submissionId' in about ? { submission: about.submissionId } : { version: about.version }),
        },
        ...('payeeId' in about && { payeeId: about.payeeId }),
      });
      return null;
    });
    if (refused !== null) return refused;
    const begun = await kyb.start({ checkId, legalName, registrationNumber, country });
    return isUnavailable(begun) ? noAnswer(log, 'KYB', begun) : null;
  };
}

function startingHandlers(parts: KybParts): Pick<DashboardHandlers, 'checkPayee' | 'checkBusiness'> {
  const { pool, kyb, sealer, fourEyes, now } = parts;
  return {
    async checkPayee({ params, body: { version, ...wanted }, caller: { account: by } }) {
      if (!isOperator(fourEyes.operators, by)) return operatorsOnly();
      if (kyb === null) return noProvider();
      const id = params['id'] ?? '';
      const row = await findPayee(pool, id, now());
      if (row === null) return notFound();
      const facts = factsOf(newestOf(row));
      const refused =
        (await whyNotPayee(pool, row, version, by)) ??
        whyNotNumber(facts, wanted) ??
        (await starter(parts, kyb)(by, { payeeId: id, version }, facts, wanted, async (db) => {
          await lockPayees(db);
          const still = await findPayee(db, id, now());
          return still === null ? notFound() : whyNotPayee(db, still, version, by);
        }));
      if (refused !== null) return refused;
      const shown = await showOne(pool, fourEyes, id, now());
      return shown === null ? notFound() : ok({ payee: shown });
    },

    async checkBusiness({ params, body: wanted, caller: { account: by } }) {
      if (!isOperator(fourEyes.operators, by)) return operatorsOnly();
      if (kyb === null) return noProvider();
      const id = params['id'] ?? '';
      const row = await findSubmission(pool, id, now());
      const facts = row === null ? null : openFacts(sealer, id, row);
      if (row === null || facts === null) return noSuchSubmission();
      const refused =
        whyNotSubmission(row, by) ??
        whyNotNumber(facts, wanted) ??
        (await starter(parts, kyb)(by, { submissionId: id }, facts, wanted, async (db) => {
          await lockSubmission(db, id);
          const still = await findSubmission(db, id, now());
          return still === null ? noSuchSubmission() : whyNotSubmission(still, by);
        }));
      if (refused !== null) return refused;
      const after = await findSubmission(pool, id, now());
      return after === null ? noSuchSubmission() : ok({ business: showSubmission(sealer, after) });
    },
  };
}

/** Nobody checks their own business, nor a version that they have not read. */
async function whyNotPayee(db: Queryable, row: PayeeRow, version: number, by: Account) {
  if (row.state === 'withdrawn') return refusal('REPEATED_SUBMIT', 'the record is withdrawn');
  const newest = newestOf(row);
  if (newest.version !== version)
    return refusal('REPEATED_SUBMIT', 'the record has changed since it was read');
  const own = (await ownsOneOf(db, by.id, factsOf(newest))) || (await handedIn(db, by.id, row.id));
  return own ? oneself() : null;
}

function whyNotSubmission({ state, accountId }: SubmissionRow, by: Account) {
  if (state !== 'waiting') return refusal('REPEATED_SUBMIT', 'it has already been decided');
  return accountId === by.id ? oneself() : null;
}

const whyNotNumber = ({ registryNumbers }: Checked, { registrationNumber }: Wanted) =>
  registryNumbers.includes(registrationNumber) ? null : otherNumber();

function readingHandlers(parts: KybParts): Pick<DashboardHandlers, 'readCheck' | 'kybWebhook'> {
  const { kyb, fourEyes, log } = parts;
  return {
    async readCheck({ params, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      if (kyb === null) return noProvider();
      const check = await kyb.read(params['id'] ?? '');
      if (check === null) return refusal('BUSINESS_NOT_FOUND', 'check not found at this provider');
      return isUnavailable(check) ? noAnswer(log, 'KYB', check) : ok({ check });
    },

    async kybWebhook({ params: { provider = '' }, caller: request }) {
      const from = kyb ?? { provider: '', readWebhook: null };
      return takeWebhook(parts, { provider, request, from, events: `kyb ${provider}` }, async (checkId) => {
        const check = await kyb?.read(checkId);
        return check != null && isUnavailable(check) ? noAnswer(log, 'KYB', check) : null;
      });
    },
  };
}
