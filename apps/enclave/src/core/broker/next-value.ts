import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Run } from '../connector-runs/connector.ts';
import { memberSpan } from '../credential/json-outline.ts';
import { newValueIn } from '../credential/new-value.ts';
import type { HttpResponse } from './exchange.ts';
import { Loan } from './loan.ts';
import { problemOf } from './problem.ts';

type Send = (body: Buffer) => Promise<Result<HttpResponse, ExecutionProblem>>;

/** The new value of a credential, for the one request that gives it to the service. */
export type NextValue = {
  readonly loan: Loan;
  /**
   * Sends the body with the value where its decoy stands, as bytes that are wiped after, and masks the value in the answer. Refused
   * unless the decoy is, once, the whole of the member that takes the value: in another one a service may show what it is given.
   */
  readonly giveIn: (body: Buffer, send: Send) => ReturnType<Send>;
};

/** Null where a run has none. */
export function nextValueOf({ next }: Pick<Run, 'next'>): NextValue | null {
  if (next === undefined) return null;
  const loan = new Loan(next.lend, newValueIn);
  const decoy = Buffer.from(next.decoy);
  return {
    loan,
    giveIn: async (body, send) => {
      const at = placeIn(body, next.param, decoy);
      if (at === null) return fail(problemOf('egress_denied'));
      const value = await loan.secret();
      if (value === null) return fail(problemOf('credential_unusable'));
      const tail = body.subarray(at + decoy.length);
      const whole = Buffer.from(new ArrayBuffer(at + value.length + tail.length));
      body.copy(whole, 0, 0, at);
      value.copy(whole, at);
      tail.copy(whole, at + value.length);
      try {
        const answer = await send(whole);
        if (!answer.ok) return answer;
        const { status, headers, text } = answer.value;
        const { masker } = loan;
        return ok({
          status,
          headers: masker.json(headers) as Record<string, string>,
          text: masker.text(text),
        });
      } finally {
        whole.fill(0);
      }
    },
  };
}

/**
 * Returns the offset of the decoy; null unless it is the whole value of this member and stands nowhere else.
 */
function placeIn(body: Buffer, param: string, decoy: Buffer): number | null {
  const span = memberSpan(body, param);
  const at = body.indexOf(decoy);
  const isMember = span !== null && span.start === at - 1 && span.end === at + decoy.length + 1;
  return isMember && body.indexOf(decoy, at + 1) < 0 ? at : null;
}
