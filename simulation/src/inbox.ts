import { whyNotDecidable, whyNotUsable } from '@countersign/dashboard/approvals/lifecycle';
import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';
import { ok, refused, type Reply } from './reply.ts';

export type Asked = {
  readonly approvalId: string;
  readonly payTo: string;
  /** Decimal text. */
  readonly amount: string;
  readonly reason: string;
  readonly reasons?: readonly string[];
  readonly typedData: { readonly message: object };
};

type Approval = Asked & {
  state: ApprovalState;
  signature: string | null;
  rejectReason: string | null;
};

/** What the owner is asked at the dashboard, and has said. */
export class Inbox {
  readonly #approvals = new Map<string, Approval>();

  ask(asked: Asked): Reply {
    const { approvalId } = asked;
    if (!this.#approvals.has(approvalId))
      this.#approvals.set(approvalId, { ...asked, state: 'pending', signature: null, rejectReason: null });
    return this.wordOn(approvalId);
  }

  wordOn(approvalId: string): Reply {
    const approval = this.#approvals.get(approvalId);
    return approval === undefined
      ? refused({ code: 'BUSINESS_NOT_FOUND', msg: 'approval not found' })
      : ok({ approval: { ...approval } });
  }

  /** The rules that the owner was told of when they were asked about this very payment. */
  toldOf(approvalId: string | undefined, { payee, amount }: Payment): readonly string[] {
    const approval = this.#approvals.get(approvalId ?? '');
    const isOther = approval?.payTo !== payee || approval?.amount !== amount;
    if (approval === undefined || isOther || approval.state === 'rejected') return [];
    return approval.reasons ?? [approval.reason];
  }

  use(approvalId: string): Reply {
    const approval = this.#approvals.get(approvalId);
    const why = whyNotUsable(approval?.state ?? null);
    if (why !== null) return refused(why);
    if (approval !== undefined) approval.state = 'used';
    return this.wordOn(approvalId);
  }

  /** The owner's decision; `sign` gives their signature over what they were asked, or null when they refuse. */
  decide(approvalId: string, sign: (asked: Asked) => string | null): void {
    const approval = this.#approvals.get(approvalId);
    if (approval === undefined || whyNotDecidable(approval.state) !== null) return;
    approval.signature = sign(approval);
    approval.state = approval.signature === null ? 'rejected' : 'approved';
  }
}

type Payment = { readonly payee?: string | undefined; readonly amount: string };
