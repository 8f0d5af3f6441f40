import type { GatewayCode } from '@countersign/protocol/gateway/codes';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { allowanceFor } from './allowance.ts';
import { explainRefusal } from './checks/assurance-result.ts';
import type { Judged } from './checks/judge.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { detailOf, envelope, messages, price } from './reply.ts';

/**
 * Ports that can look and do nothing: no signature, hold, payment, report, approval or receipt comes from them. What
 * a dry run has no business with throws, so that a mistake ends in an error and never in a payment. A service is
 * asked for its price only where it is known to ask for one: any other call would be the real call.
 */
export function powerless(ports: GatewayPorts): GatewayPorts {
  const { services, state, approvals, receipts, wallet } = ports;
  return {
    ...ports,
    calls: { run: forbidden },
    services: {
      ...services,
      check: async (call) =>
        (await services.check(call)) ?? (services.asksForMoney(call) ? null : { code: 'PRICE_UNKNOWN' }),
      callPaid: forbidden,
    },
    holds: { place: forbidden, release: forbidden },
    wallet: { address: wallet.address, sign: forbidden, derive: forbidden },
    state: {
      ...state,
      openPayment: forbidden,
      keepApproval: forbidden,
      endQuestion: async () => {},
      remember: forbidden,
      claim: forbidden,
      renew: forbidden,
      release: forbidden,
      offer: forbidden,
      adopt: forbidden,
      resolveUnused: forbidden,
      passOn: forbidden,
      withdraw: forbidden,
      report: async () => {},
      reportUnresolved: forbidden,
    },
    approvals: { ...approvals, ask: forbidden, use: forbidden },
    receipts: { ...receipts, append: async () => null },
  };
}

function forbidden(): never {
  throw new Error('a dry run tried to do something');
}

/** What the decision would come to, if every later step went well. */
export async function foretell(
  ports: GatewayPorts,
  call: ToolCall,
  judged: Judged,
): Promise<GatewayEnvelope> {
  const { decision, demand } = judged;
  const now = ports.now();
  switch (decision.kind) {
    case 'refuse': {
      return envelope(call, now, decision.code, withReason(decision), detailOf(judged));
    }
    case 'ask-owner': {
      const { reason } = decision;
      const limited = { ...judged, assurance: explainRefusal(judged.assurance, reason) };
      const message = `${price(demand)}: ${messages[reason]} The owner would have to approve this payment.`;
      return envelope(call, now, 'WALLET_APPROVAL_REQUIRED', message, detailOf(limited));
    }
    case 'pay': {
      const allowance = await allowanceFor(ports, demand);
      return allowance.kind === 'refused'
        ? envelope(call, now, allowance.code, withReason(allowance), detailOf(judged))
        : envelope(call, now, 'SUCCESS', `${price(demand)} would be paid.`, detailOf(judged));
    }
  }
}

const withReason = ({ code, why }: { readonly code: GatewayCode; readonly why: string | null }): string =>
  why === null ? messages[code] : `${messages[code]} Reason: ${why}.`;

/** Marks an answer as one of a dry run, also one that an earlier, real call with the same key was given. */
export const asDryRun = (answer: GatewayEnvelope): GatewayEnvelope => ({
  ...answer,
  message: `dry run: ${answer.message}`,
  detail: { ...answer.detail, paymentMade: false },
});
