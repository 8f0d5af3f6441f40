import { whyNotDecidable, whyNotUsable } from '@countersign/dashboard/approvals/lifecycle';
import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';
import { ok, refused, type Reply } from './reply.ts';

export type Approval = {
  readonly approvalId: string;
  readonly typedData: { readonly message: object };
  state: ApprovalState;
  signature: string | null;
  rejectReason: string | null;
};

export type Asked = Pick<Approval, 'approvalId' | 'typedData'>;

/** What the owner is asked at the dashboard, and has said. */
export class Inbox {
  readonly #approvals = new Map<string, Approval>();

  ask({ approvalId, typedData }: Asked): Reply {
    if (!this.#approvals.has(approvalId))
      this.#approvals.set(approvalId, {
        approvalId,
        typedData,
        state: 'pending',
        signature: null,
        rejectReason: null,
      });
    return this.wordOn(approvalId);
  }

  wordOn(approvalId: string): Reply {
    const approval = this.#approvals.get(approvalId);
    return approval === undefined
      ? refused({ code: 'BUSINESS_NOT_FOUND', msg: 'approval not found' })
      : ok({ approval: { ...approval } });
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
