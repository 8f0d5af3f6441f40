import type { Address } from '@countersign/protocol/address';
import type { Mandate, MandateLookup } from '@countersign/protocol/dashboard/mandate';
import { returnedForm } from '@countersign/protocol/dashboard/mandate-credential';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { type Answer, refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers, KeyCaller } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { isSignedByOwner, showMandate, signedCredential, storedCredential, toSign } from './credential.ts';
import { daysAfter, noActiveMandate, noSuchMandate, whyNotActive, whyNotSignable } from './lifecycle.ts';
import { whyAboveBudget, whyNothing } from './limits.ts';
import { mandateNotice } from './notice.ts';
import * as store from './store.ts';

export type MandateParts = {
  readonly pool: Pool;
  readonly chainId: number;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly tell: Tell;
};

/** Draft, sign, list and revoke mandates; and the look-up that a gateway makes before every payment. */
export function mandateHandlers(
  parts: MandateParts,
): Pick<
  DashboardHandlers,
  'createMandate' | 'prepareSign' | 'signMandate' | 'listMandates' | 'revokeMandate' | 'mandateCredential'
> {
  const { pool, chainId, now, random, tell } = parts;
  return {
    async createMandate({ body, caller }) {
      const { validDays, ...terms } = body;
      const why = whyNothing(terms) ?? whyAboveBudget(terms);
      if (why !== null) return fail(why);
      const time = now();
      const draft = {
        id: newId(random, 'mdt'),
        accountId: caller.account.id,
        ...terms,
        expiresAt: daysAfter(time, validDays),
      };
      const mandate = await store.insertMandate(pool, draft, time);
      tell(mandateNotice(caller.account.id, mandate.id));
      return ok(toSign(mandate, caller.account, chainId));
    },

    async prepareSign({ body, caller }) {
      const mandate = await store.findMandate(pool, caller.account.id, body.mandateId, now());
      const why = whyNotSignable(mandate?.status ?? null);
      if (mandate === null || why !== null) return fail(why ?? noSuchMandate);
      return ok(toSign(mandate, caller.account, chainId));
    },

    signMandate: ({ body, caller }) => sign(parts, caller.account, body.mandateId, body.signature),

    async listMandates({ body, caller }) {
      const { status, page = 1, limit = 20 } = body;
      const { items, total } = await store.listMandates(
        pool,
        { accountId: caller.account.id, status, page, limit },
        now(),
      );
      return ok({ data: items.map(showMandate), total, page, limit });
    },

    revokeMandate: ({ body, caller }) => revoke(parts, caller.account, body.mandateId),

    mandateCredential: ({ body, caller }) => lookUp(parts, caller, body.payerWalletAddress),
  };
}

async function sign(
  { pool, chainId, now, tell }: MandateParts,
  owner: Account,
  id: string,
  signature: string,
): Promise<Answer<{ mandate: Mandate }>> {
  const signed = await inTransaction(pool, async (db) => {
    await store.lockMandates(db, owner.id);
    const time = now();
    const mandate = await store.findMandate(db, owner.id, id, time);
    const why = whyNotSignable(mandate?.status ?? null);
    if (mandate === null || why !== null) return fail(why ?? noSuchMandate);
    if (!isSignedByOwner(mandate, owner, chainId, signature)) {
      return refusal(
        'UNAUTHORIZED_OPERATION',
        'the signature is not of the wallet of this account over this mandate',
      );
    }
    const vcJson = JSON.stringify(signedCredential(mandate, owner, { chainId, signature, now: time }));
    return ok(await store.activateMandate(db, { accountId: owner.id, id, signature, vcJson, now: time }));
  });
  if (!signed.ok) return signed;
  const { active, retired } = signed.value;
  for (const each of [active, ...retired]) tell(mandateNotice(owner.id, each.id));
  return ok({ mandate: showMandate(active) });
}

async function revoke(
  { pool, now, tell }: MandateParts,
  owner: Account,
  id: string | undefined,
): Promise<Answer<{ mandate: Mandate }>> {
  const revoked = await inTransaction(pool, async (db) => {
    await store.lockMandates(db, owner.id);
    const time = now();
    const mandate = await (id === undefined
      ? store.findActiveMandate(db, owner.id, time)
      : store.findMandate(db, owner.id, id, time));
    const why = whyNotActive(mandate?.status ?? null);
    if (mandate === null || why !== null) return fail(why ?? noSuchMandate);
    const after = await store.revokeMandate(db, owner.id, mandate.id, time);
    // Null when a report used the budget up in between.
    return after === null
      ? refusal('MANDATE_EXHAUSTED', 'the budget of the mandate is used up')
      : ok({ mandate: showMandate(after) });
  });
  if (revoked.ok) tell(mandateNotice(owner.id, revoked.value.mandate.id));
  return revoked;
}

async function lookUp(
  { pool, now }: MandateParts,
  caller: KeyCaller,
  payer: Address,
): Promise<Answer<MandateLookup>> {
  // Another account's mandate is none, whatever its state.
  const mayLook = caller.kind === 'operator' || caller.account.walletAddress === payer;
  const mandate = mayLook ? await store.lookUpMandate(pool, payer, now()) : null;
  if (mandate === null) return noActiveMandate(null);
  if (mandate.status !== 'active') return noActiveMandate(mandate.status);
  if (mandate.policy.paused) return noActiveMandate('paused');
  const { id, perTxLimit, totalBudget, usedAmount, transactionCount, status, expiresAt } = mandate;
  const shown = {
    id,
    perTxLimit,
    totalBudget,
    usedAmount,
    transactionCount,
    status,
    expiresAt: expiresAt.toISOString(),
  };
  return ok({
    found: true,
    mandate: shown,
    remainingBudget: mandate.remainingBudget,
    usagePercent: Number(mandate.usagePercent),
    // The database does not let a mandate be active without its credential.
    vcJson: returnedForm(storedCredential(mandate.vcJson ?? '')),
  });
}
