import type { MandatePolicy } from '@countersign/protocol/dashboard/policy';
import { firstRow, type Queryable, rows, type Statement, statement } from '@countersign/service/sql';
import { columns, type MandateRecord, statusNow } from './store.ts';

/** A change to one mandate, that holds `lockMandates` and `lockMandate` and found the mandate under them. */
export type Step = { readonly db: Queryable; readonly mandate: MandateRecord; readonly now: Date };

const lockRow = statement(
  'mandate.lock-row',
  'select from dashboard.mandate where account_id = $1 and id = $2 for no key update',
);

/**
 * Makes everyone who spends from this mandate or holds on it wait until the transaction ends. Only a statement after
 * this one sees what they did before.
 */
export async function lockMandate(db: Queryable, accountId: string, id: string): Promise<void> {
  await rows(db, lockRow, [accountId, id]);
}

const one = 'm.account_id = $2 and m.id = $3';
const valuesOf = ({ now, mandate }: Step): unknown[] => [now, mandate.accountId, mandate.id];

/** Runs a statement that a locked mandate cannot miss. */
async function changed(
  step: Step,
  what: Statement<MandateRecord>,
  values: readonly unknown[],
): Promise<MandateRecord> {
  const after = await firstRow(step.db, what, [...valuesOf(step), ...values]);
  if (after === null) throw new Error('a locked mandate is gone');
  return after;
}

const retitle = statement<MandateRecord>(
  'mandate.retitle',
  `update dashboard.mandate m set title = $4 where ${one} returning ${columns}`,
);

/** Changes what a mandate is called. The credential keeps the title under which it was signed. */
export const retitleMandate = (step: Step, title: string): Promise<MandateRecord> =>
  changed(step, retitle, [title]);

/** No mandate is given less than what is spent and reserved already. */
const coversSpending = `$4::numeric >= m.used_amount + dashboard.held_amount(m.id, $1)`;

/** A budget that is used up leaves nothing to sign for. */
const statusUnsigned = `case when m.used_amount >= $4::numeric then 'exhausted' else 'pending' end`;

/**
 * Every message that was up for signature has an expiry of its own, so that terms which come back are not the old
 * message: a signature that was void stays void, and so does one that was made and never handed in.
 */
const nextMessage = `m.expires_at + interval '1 millisecond'`;

const changeTerms = statement<MandateRecord>(
  'mandate.change-terms',
  `update dashboard.mandate m set total_budget = $4, per_tx_limit = $5, title = $6, expires_at = ${nextMessage},
     status = ${statusUnsigned}, signature = null, vc_json = null, signed_budget = null
   where ${one} and ${coversSpending} returning ${columns}`,
);

/** Puts new terms up for signature and voids every older one; null where the budget would be below used and held. */
export const changeMandateTerms = (
  step: Step,
  terms: { readonly totalBudget: string; readonly perTxLimit: string; readonly title: string },
): Promise<MandateRecord | null> =>
  firstRow(step.db, changeTerms, [...valuesOf(step), terms.totalBudget, terms.perTxLimit, terms.title]);

const isSigned = `coalesce($4::numeric <= m.signed_budget, false)`;
const whileSigned = (column: string): string => `${column} = case when ${isSigned} then m.${column} end`;

const adjust = statement<MandateRecord>(
  'mandate.adjust',
  `update dashboard.mandate m set total_budget = $4,
     status = case when ${isSigned} and m.used_amount < $4::numeric then m.status else ${statusUnsigned} end,
     expires_at = case when ${isSigned} then m.expires_at else ${nextMessage} end,
     ${['signature', 'vc_json', 'signed_budget'].map(whileSigned).join(', ')}
   where ${one} and ${coversSpending} returning ${columns}`,
);

/**
 * Moves the budget. Within what was signed the mandate stays as it is; above it the signature is void and the mandate
 * pending. What is used already and no more ends it: exhausted. Null where the budget would be below used and held.
 */
export const adjustMandate = (step: Step, totalBudget: string): Promise<MandateRecord | null> =>
  firstRow(step.db, adjust, [...valuesOf(step), totalBudget]);

const policyColumns =
  'paused, period_every, period_budget, allowed_merchants, allowed_services, approval_threshold, new_payees';

const renew = statement<MandateRecord>(
  'mandate.renew',
  `insert into dashboard.mandate as m
     (id, account_id, agent_wallet, title, per_tx_limit, total_budget, status, created_at, expires_at, ${policyColumns})
   select $4, account_id, agent_wallet, title, per_tx_limit, total_budget, 'pending', $1, $5, ${policyColumns}
   from dashboard.mandate where account_id = $2 and id = $3 returning ${columns}`,
);

/** A new pending mandate with the limits and the policy of an old one, which stays as it is. */
export const renewMandate = (step: Step, id: string, expiresAt: Date): Promise<MandateRecord> =>
  changed(step, renew, [id, expiresAt]);

const remove = statement(
  'mandate.delete',
  `update dashboard.mandate m set deleted_at = $1, status = ${statusNow} where ${one}`,
);

/** From now on the mandate exists for nobody but the reports of payments that were made under it. */
export async function deleteMandate(step: Step): Promise<void> {
  await rows(step.db, remove, valuesOf(step));
}

const replacePolicy = statement<MandateRecord>(
  'mandate.set-policy',
  `update dashboard.mandate m set (${policyColumns}) =
     row($4::boolean, $5::text, $6::numeric, $7::text[], $8::text[], $9::numeric, coalesce($10, m.new_payees))
   where ${one} returning ${columns}`,
);

/** Replaces the policy as a whole; but who does not know of `newPayees` does not lift it. */
export const setMandatePolicy = (
  step: Step,
  { paused, period, allowedMerchants, allowedServices, approvalThreshold, newPayees }: MandatePolicy,
): Promise<MandateRecord> =>
  changed(step, replacePolicy, [
    paused,
    period?.every,
    period?.budget,
    allowedMerchants,
    allowedServices,
    approvalThreshold,
    newPayees,
  ]);
