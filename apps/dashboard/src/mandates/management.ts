import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';
import type { mandateRoutes } from '@countersign/protocol/dashboard/mandate-routes';
import { fail, ok } from '@countersign/protocol/result';
import type { BodyOf } from '@countersign/protocol/route';
import { inTransaction } from '@countersign/service/sql';
import { type Answer, refusal, type Refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers } from '../callers.ts';
import { newId } from '../ids.ts';
import * as changes from './changes.ts';
import { showMandate, toSign } from './credential.ts';
import {
  daysAfter,
  noSuchMandate,
  whyNotChangeable,
  whyNotDeletable,
  whyNotFound,
  whyNotRenewable,
} from './lifecycle.ts';
import { whyAboveBudget, whyNothing } from './limits.ts';
import { loosenedBy } from './loosening.ts';
import { mandateNotice } from './notice.ts';
import { whyNoAgent } from './of-agents.ts';
import type { MandateParts } from './routes.ts';
import { findMandate, lockMandates, type MandateRecord } from './store.ts';

/** Handles changes to a mandate after its draft: terms, budget, successor, policy, end. */
export function managementHandlers(
  parts: MandateParts,
): Pick<
  DashboardHandlers,
  'updateMandate' | 'adjustMandate' | 'renewMandate' | 'deleteMandate' | 'setMandatePolicy'
> {
  const { chainId, random, tell } = parts;
  return {
    async updateMandate({ body, caller }) {
      const why = whyNoUpdate(body) ?? whyNothing(body);
      if (why !== null) return fail(why);
      const updated = await update(parts, caller.account, body);
      return updated.ok ? ok(toSign(updated.value, caller.account, chainId)) : updated;
    },

    async adjustMandate({ body: { mandateId, totalBudget }, caller }) {
      const why = whyNothing({ totalBudget });
      if (why !== null) return fail(why);
      const adjusted = await change(parts, caller.account, mandateId, whyNotChangeable, async (step) =>
        covering(await changes.adjustMandate(step, totalBudget)),
      );
      if (!adjusted.ok) return adjusted;
      const mandate = adjusted.value;
      return ok(
        mandate.status === 'pending'
          ? toSign(mandate, caller.account, chainId)
          : { mandate: showMandate(mandate) },
      );
    },

    async renewMandate({ body: { mandateId, validDays }, caller }) {
      const renewed = await change(parts, caller.account, mandateId, whyNotRenewable, async (step) => {
        const { accountId, agentWallet } = step.mandate;
        const why = await whyNoAgent(step.db, accountId, agentWallet, step.now);
        if (why !== null) return fail(why);
        return ok(await changes.renewMandate(step, newId(random, 'mdt'), daysAfter(step.now, validDays)));
      });
      if (!renewed.ok) return renewed;
      tell(mandateNotice(caller.account.id, renewed.value.id));
      return ok(toSign(renewed.value, caller.account, chainId));
    },

    deleteMandate: ({ body: { mandateId }, caller }) =>
      change(parts, caller.account, mandateId, whyNotDeletable, async (step) => {
        await changes.deleteMandate(step);
        return ok({ mandateId });
      }),

    setMandatePolicy: ({ body: { mandateId, policy }, caller }) =>
      change(parts, caller.account, mandateId, whyNotChangeable, async (step) => {
        const loosened = caller.person.holder ? [] : loosenedBy(step.mandate.policy, policy);
        if (loosened.length > 0) return refusal('UNAUTHORIZED_OPERATION', holdersToLoosen(loosened));
        return ok({ mandate: showMandate(await changes.setMandatePolicy(step, policy)) });
      }),
  };
}

const holdersToLoosen = (rules: readonly string[]): string =>
  `${rules.join(', ')}: only the wallet’s holder may loosen a rule of a policy`;

type Update = BodyOf<typeof mandateRoutes.updateMandate>;

const whyNoUpdate = ({ title, perTxLimit, totalBudget }: Update): Refusal | null =>
  [title, perTxLimit, totalBudget].every((field) => field === undefined)
    ? { code: 'PARAM_ERROR', msg: 'title, perTxLimit or totalBudget: at least one is required' }
    : null;

/** A title alone changes nothing that was signed, so it may be changed at any time. */
function update(
  parts: MandateParts,
  owner: Account,
  { mandateId, title, perTxLimit, totalBudget }: Update,
): Promise<Answer<MandateRecord>> {
  if (perTxLimit === undefined && totalBudget === undefined)
    return change(parts, owner, mandateId, whyNotFound, async (step) =>
      ok(await changes.retitleMandate(step, title ?? step.mandate.title)),
    );
  return change(parts, owner, mandateId, whyNotChangeable, async (step) => {
    const { mandate } = step;
    const terms = {
      title: title ?? mandate.title,
      perTxLimit: perTxLimit ?? mandate.perTxLimit,
      totalBudget: totalBudget ?? mandate.totalBudget,
    };
    const why = whyAboveBudget(terms);
    return why === null ? covering(await changes.changeMandateTerms(step, terms)) : fail(why);
  });
}

/** Changes a mandate whose state allows it. Nobody signs it, spends from it or holds on it meanwhile. */
async function change<T>(
  { pool, now, tell }: MandateParts,
  owner: Account,
  id: string,
  whyNot: (status: MandateStatus | null) => Refusal | null,
  work: (step: changes.Step) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const changed = await inTransaction<Answer<T>>(pool, async (db) => {
    await lockMandates(db, owner.id);
    await changes.lockMandate(db, owner.id, id);
    const time = now();
    const mandate = await findMandate(db, owner.id, id, time);
    const why = whyNot(mandate?.status ?? null);
    if (mandate === null || why !== null) return fail(why ?? noSuchMandate);
    return work({ db, mandate, now: time });
  });
  if (changed.ok) tell(mandateNotice(owner.id, id));
  return changed;
}

/** Null is a budget below what is used and held already. */
const covering = (changed: MandateRecord | null): Answer<MandateRecord> =>
  changed === null
    ? refusal('INTENT_BUDGET_EXCEEDED', 'totalBudget must not be below what is already used and held')
    : ok(changed);
