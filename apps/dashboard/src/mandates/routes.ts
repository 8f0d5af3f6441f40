import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { type Answer, refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';
import type { WhyNotSigned } from '../auth/wallet-signature.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { hashToSign, showMandate, signedCredential, toSign } from './credential.ts';
import { daysAfter, noSuchMandate, whyNotActive, whyNotSignable } from './lifecycle.ts';
import { whyAboveBudget, whyNothing } from './limits.ts';
import { lookUp } from './look-up.ts';
import { mandateNotice } from './notice.ts';
import { whyNoAgent } from './of-agents.ts';
import * as store from './store.ts';

export type MandateParts = {
  readonly pool: Pool;
  readonly chainId: number;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly tell: Tell;
};

type SigningParts = MandateParts & { readonly whyNotSigned: WhyNotSigned };

/** Draft, sign, list and revoke mandates; and the look-up that a gateway makes before every payment. */
export function mandateHandlers(
  parts: SigningParts,
): Pick<
  DashboardHandlers,
  'createMandate' | 'prepareSign' | 'signMandate' | 'listMandates' | 'revokeMandate' | 'mandateCredential'
> {
  const { pool, chainId, now, random, tell } = parts;
  return {
    async createMandate({ body, caller }) {
      const { validDays, agentWallet = null, ...terms } = body;
      const why = whyNothing(terms) ?? whyAboveBudget(terms);
      if (why !== null) return fail(why);
      const time = now();
      const noAgent = await whyNoAgent(pool, caller.account.id, agentWallet, time);
      if (noAgent !== null) return fail(noAgent);
      const draft = {
        id: newId(random, 'mdt'),
        accountId: caller.account.id,
        agentWallet,
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

    mandateCredential: ({ body, caller }) => lookUp(pool, now(), caller, body.payerWalletAddress),
  };
}

async function sign(
  parts: SigningParts,
  owner: Account,
  id: string,
  signature: string,
): Promise<Answer<{ mandate: Mandate }>> {
  const { pool, chainId, now, tell } = parts;
  const judged = await judgeSignature(parts, owner, id, signature);
  const signed = await inTransaction(pool, async (db) => {
    await store.lockMandates(db, owner.id);
    const time = now();
    const mandate = await store.findMandate(db, owner.id, id, time);
    const why = whyNotSignable(mandate?.status ?? null);
    if (mandate === null || why !== null) return fail(why ?? noSuchMandate);
    const noAgent = await whyNoAgent(db, owner.id, mandate.agentWallet, time);
    if (noAgent !== null) return fail(noAgent);
    // What was judged may have changed meanwhile.
    const isSame = judged !== null && Buffer.compare(judged.hash, hashToSign(mandate, owner, chainId)) === 0;
    const whyNotSigned = isSame ? judged.why : 'the mandate has changed: sign its current version';
    if (whyNotSigned !== null) return refusal('UNAUTHORIZED_OPERATION', whyNotSigned);
    const vcJson = JSON.stringify(signedCredential(mandate, owner, { chainId, signature, now: time }));
    return ok(await store.activateMandate(db, { accountId: owner.id, id, signature, vcJson, now: time }));
  });
  if (!signed.ok) return signed;
  const { active, retired } = signed.value;
  for (const each of [active, ...retired]) tell(mandateNotice(owner.id, each.id));
  return ok({ mandate: showMandate(active) });
}

/** Before any lock, because a wallet that is a contract is asked on the chain. Null where there is no such mandate. */
async function judgeSignature(
  { pool, chainId, now, whyNotSigned }: SigningParts,
  owner: Account,
  id: string,
  signature: string,
): Promise<{ readonly hash: Uint8Array; readonly why: string | null } | null> {
  const mandate = await store.findMandate(pool, owner.id, id, now());
  if (mandate === null) return null;
  const hash = hashToSign(mandate, owner, chainId);
  const why = await whyNotSigned(owner, hash, signature);
  return { hash, why: why === null ? null : `${why}, over this mandate` };
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
      ? refusal('MANDATE_EXHAUSTED', 'the mandate’s budget is used up')
      : ok({ mandate: showMandate(after) });
  });
  if (revoked.ok) tell(mandateNotice(owner.id, revoked.value.mandate.id));
  return revoked;
}
