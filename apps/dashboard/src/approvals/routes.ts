import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@countersign/protocol/address';
import type { Approval, ApprovalState } from '@countersign/protocol/dashboard/approvals';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { type Answer, ofAnotherAgent, refusal, type Refusal } from '../refusal.ts';
import { findAgentByWallet } from '../agents/store.ts';
import type { WhyNotSigned } from '../auth/wallet-signature.ts';
import { type DashboardHandlers, isOfAnotherAgent, type KeyCaller, reporterOf } from '../callers.ts';
import type { Notice, Tell } from '../events/notice.ts';
import type { Sealer } from '../compliance/seal.ts';
import { keepArguments, readArguments } from './arguments.ts';
import { noSuchApproval, whyNotDecidable, whyNotUsable } from './lifecycle.ts';
import { type AskedPayment, hashOfPayment, readAskedPayment } from './payment-mandate.ts';
import * as store from './store.ts';

type ApprovalParts = {
  readonly pool: Pool;
  /** Null where there is no key: then no arguments are kept. */
  readonly sealer: Sealer | null;
  readonly now: () => Date;
  readonly tell: Tell;
};

/** The gateway's side: ask for one payment above the limits, hear the owner's word, use it once. */
export function approvalHandlers(
  parts: ApprovalParts,
): Pick<DashboardHandlers, 'createApproval' | 'getApproval' | 'useApproval'> {
  const { pool, sealer, now, tell } = parts;
  return {
    async createApproval({ body, caller }) {
      if (isOfAnotherAgent(caller, body.payer)) return fail(ofAnotherAgent);
      if (!(await mayAskFor(pool, caller, body.payer, now()))) {
        return refusal(
          'UNAUTHORIZED_OPERATION',
          'payer must be the wallet of the API key, or an active agent of its account',
        );
      }
      const asked = readAskedPayment(body);
      if (!asked.ok) return asked;
      const made = await inTransaction(pool, async (db) => {
        const inserted = await store.insertApproval(db, asked.value, reporterOf(caller), now());
        if (inserted !== null && body.arguments !== undefined)
          await keepArguments(db, sealer, inserted, body.arguments);
        return inserted;
      });
      if (made !== null) tell(noticeOf(made));
      const known = made ?? (await store.findApprovalOf(pool, body.payer, body.approvalId, now()));
      return known !== null && isSamePayment(known, asked.value)
        ? ok(show(known))
        : refusal('REPEATED_SUBMIT', 'this approvalId belongs to another payment');
    },

    async getApproval({ body: { approvalId }, caller }) {
      const found = await store.findApproval(pool, approvalId, payerOf(caller), now());
      return found === null || isOfAnotherAgent(caller, found.message.payer)
        ? fail(noSuchApproval)
        : ok(show(found));
    },

    async useApproval({ body: { approvalId }, caller }) {
      const found = await findFor(parts, approvalId, payerOf(caller), whyNotUsable);
      if (found.ok && isOfAnotherAgent(caller, found.value.message.payer)) return fail(noSuchApproval);
      if (!found.ok) return found;
      const used = await store.useApproval(pool, found.value.message, now());
      return showMoved(parts, found.value, used, whyNotUsable);
    },
  };
}

/** The owner's side: the inbox, and the decision. */
export function inboxHandlers(
  parts: ApprovalParts & { readonly whyNotSigned: WhyNotSigned },
): Pick<DashboardHandlers, 'listApprovals' | 'approvalArguments' | 'approveApproval' | 'rejectApproval'> {
  const { pool, sealer, now, whyNotSigned } = parts;
  const findMine = (params: Readonly<Record<string, string>>, payer: Address) =>
    findFor(parts, params['approvalId'] ?? '', payer, whyNotDecidable);
  const decide = async (found: store.ApprovalRecord, decision: store.Decision) =>
    showMoved(
      parts,
      found,
      await store.decideApproval(pool, found.message, decision, now()),
      whyNotDecidable,
    );
  return {
    async listApprovals({ body, caller }) {
      const { state, page = 1, limit = 20 } = body;
      const selection = { owner: caller.account.walletAddress, state, page, limit };
      const { items, total } = await store.listApprovals(pool, selection, now());
      return ok({ data: items.map(showApproval), total, page, limit });
    },

    async approvalArguments({ params, caller }) {
      const payer = caller.account.walletAddress;
      const found = await store.findApproval(pool, params['approvalId'] ?? '', payer, now());
      return found === null ? fail(noSuchApproval) : ok(await readArguments(pool, sealer, found, now()));
    },

    async approveApproval({ params, body: { signature }, caller }) {
      const found = await findMine(params, caller.account.walletAddress);
      if (!found.ok) return found;
      const why = await whyNotSigned(caller.account, hashOfPayment(found.value), signature);
      if (why !== null) return refusal('UNAUTHORIZED_OPERATION', `${why}, over this approval`);
      return decide(found.value, { state: 'approved', signature });
    },

    async rejectApproval({ params, body: { reason }, caller }) {
      const found = await findMine(params, caller.account.walletAddress);
      return found.ok ? decide(found.value, { state: 'rejected', reason }) : found;
    },
  };
}

/** An agent's payments are its owner's to approve. Operators ask for every payer. */
async function mayAskFor(pool: Pool, caller: KeyCaller, payer: Address, now: Date): Promise<boolean> {
  if (caller.kind === 'operator' || caller.account.walletAddress === payer) return true;
  const agent = await findAgentByWallet(pool, caller.account.id, payer, now);
  return agent?.state === 'active';
}

/** Operators ask and use for every payer (null). */
const payerOf = (caller: KeyCaller): Address | null =>
  caller.kind === 'operator' ? null : caller.account.walletAddress;

const isSamePayment = (known: store.ApprovalRecord, asked: AskedPayment): boolean => {
  const { message, chainId, amount, currency, reason, reasons } = known;
  const { argumentsSent: _, ...payment } = asked;
  const told = { reason, ...(reasons != null && { reasons }) };
  return isDeepStrictEqual({ message, chainId, amount, currency, ...told }, payment);
};

type WhyNot = (state: ApprovalState | null) => Refusal | null;

/** The approval, if it is of this payer and its state allows the move. */
async function findFor(
  { pool, now }: ApprovalParts,
  id: string,
  payer: Address | null,
  whyNot: WhyNot,
): Promise<Result<store.ApprovalRecord, Refusal>> {
  const found = await store.findApproval(pool, id, payer, now());
  const why = whyNot(found?.state ?? null);
  return found === null || why !== null ? fail(why ?? noSuchApproval) : ok(found);
}

/** The approval after its move; or, where somebody else was faster (null), what has become of it. */
async function showMoved(
  parts: ApprovalParts,
  { message }: store.ApprovalRecord,
  moved: store.ApprovalRecord | null,
  whyNot: WhyNot,
): Promise<Answer<{ approval: Approval }>> {
  if (moved !== null) {
    parts.tell(noticeOf(moved));
    return ok(show(moved));
  }
  const now = await findFor(parts, message.approvalId, message.payer, whyNot);
  return now.ok ? refusal('REPEATED_SUBMIT', 'another request is deciding this approval: try again') : now;
}

const noticeOf = ({ message: { approvalId: id, payer } }: store.ApprovalRecord): Notice => ({
  kind: 'approval',
  id,
  to: [payer],
});

const show = (record: store.ApprovalRecord) => ({ approval: showApproval(record) });

/** The approval on the wire: its typed data is made anew from the record, ready to sign. */
export function showApproval(approval: store.ApprovalRecord): Approval {
  const { message, chainId, argumentsSent: _, reasons, ...record } = approval;
  return {
    ...message,
    ...record,
    ...(reasons != null && { reasons: [...reasons] }),
    typedData: paymentMandateTypedData(message, chainId),
    createdAt: record.createdAt.toISOString(),
    decidedAt: record.decidedAt?.toISOString() ?? null,
  };
}
