import { type Address, parseAddress } from '@countersign/protocol/address';
import { recoverSigner } from '@countersign/service/ethereum/signature';
import { Canceller } from '@countersign/service/cancellation';
import { silentSpan } from '@countersign/service/trace';
import { z } from 'zod';
import { judge, type Judged } from '../payment/checks/judge.ts';
import { resume } from '../payment/checks/resume.ts';
import { earlierPayment, type NotPaid, pay } from '../payment/pay.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { hashApproval, type StoredApproval, whyNotUsable } from '../rules/approval.ts';
import {
  readClock,
  readConfiguration,
  readEarlier,
  readJournal,
  readMaxAmount,
  readNonce,
} from './inputs.ts';
import { type End, verdictOf } from './outcome.ts';
import type { Receipt } from './receipt.ts';
import { given, type Inputs, recordedPorts } from './recorded-ports.ts';

/**
 * Makes the decision of a receipt again, with the functions that made it: from the recorded answers, at the recorded
 * time. Throws `MissingInput` when one is not there.
 */
export async function replay(receipt: Receipt, inputs: Inputs): Promise<End> {
  if (inputs.unreadableDemand !== undefined) return { kind: 'unreadable' };
  const requirement = given(inputs, 'requirement');
  const payer = parseAddress(receipt.payer);
  if (payer === null) throw new Error('the payer is no address');
  const at = decidedAt(receipt, inputs);
  const ports = recordedPorts(inputs, payer, at);
  const call = callOf(receipt, inputs);
  const approval = inputs.approval === undefined ? null : heardApproval(receipt, inputs, payer);

  const judged = resume(
    await judge(ports, call, requirement, approval, at),
    await earlierPayment(ports, call),
  );
  if (!judged.ok) return { kind: 'demand-refused', refusal: judged.error };
  if (inputs.cancelled !== undefined)
    return { kind: 'decided', judged: judged.value, payment: { kind: 'cancelled' } };
  const { decision, approved } = judged.value;
  const reopened = reopenedIn(inputs);
  const payment =
    decision.kind !== 'pay'
      ? refusedAside(inputs, judged.value)
      : reopened === null
        ? await pay(
            heldAsThen(inputs, ports, approved),
            call,
            judged.value,
            decision,
            approved ? approval : null,
          )
        : await pay(recordedPorts(reopened, payer, at), call, judged.value, unheld(decision), null);
  if (payment?.kind === 'given-up') throw new Error('a call whose payment was given up is judged anew');
  return answered(inputs, { kind: 'decided', judged: judged.value, payment });
}

/**
 * Returns the dashboard's refusal to put a question to the owner; null if it did not refuse. No other answer
 * is recorded there.
 */
const refusedAside = (inputs: Inputs, { decision }: Judged): NotPaid | null =>
  decision.kind === 'ask-owner' && inputs.hold !== undefined ? (given(inputs, 'hold') as NotPaid) : null;

/** Before November 26, 2026 nothing was held for what the owner had approved. */
const heldAsThen = (inputs: Inputs, ports: GatewayPorts, approved: boolean): GatewayPorts =>
  approved && inputs.hold === undefined
    ? { ...ports, holds: { ...ports.holds, place: () => Promise.resolve({ kind: 'absent' }) } }
    : ports;

type Pays = Extract<Judged['decision'], { kind: 'pay' }>;

/** Nothing was held for it, and it was sent whether it resumed one or not. */
const unheld = ({ kind, mandateId }: Pays): Pays => ({ kind, mandateId, budget: null });

/**
 * Before November 26, 2026 a gateway opened a payment anew that its journal had let go after it was found, and sent it
 * as a first one. The inputs of such a call as of one that found none; null for every other.
 */
function reopenedIn(inputs: Inputs): Inputs | null {
  const earlier = readEarlier.parse(inputs.earlier ?? null);
  if (earlier === null || inputs.journal === undefined) return null;
  if (readJournal.parse(inputs.journal).kind !== 'opened') return null;
  // On other terms than the call has now it was not sent.
  const isSame = earlier.nonce === readNonce.parse(given(inputs, 'nonce'));
  return { ...inputs, earlier: null, ...(!isSame && { journal: { kind: 'known', nonce: earlier.nonce } }) };
}

/** Takes the owner's answer into account: a rejection can end only a question to the owner. */
const answered = (inputs: Inputs, end: Extract<End, { kind: 'decided' }>): End =>
  inputs.rejection !== undefined && verdictOf(end).code === 'WALLET_APPROVAL_REQUIRED'
    ? { ...end, payment: { kind: 'owner-rejected' } }
    : end;

/** A price that is refused is refused at any time: then no clock was read. */
const decidedAt = (receipt: Receipt, inputs: Inputs): number =>
  Date.parse(
    inputs.clock === undefined && receipt.inputs.clock === undefined
      ? receipt.at
      : readClock.parse(given(inputs, 'clock')).decidedAt,
  );

/**
 * The arguments were not kept; what rested on them is compared by their hash. Nor was the idempotency key: an earlier
 * payment is looked for exactly when there is one.
 */
const callOf = (
  { serviceId, toolName, traceId, agent }: Receipt,
  { earlier, maxAmount }: Inputs,
): ToolCall => ({
  serviceId,
  toolName,
  traceId,
  span: silentSpan(traceId),
  agent,
  arguments: {},
  paymentPayload: undefined,
  idempotencyKey: earlier === undefined ? undefined : traceId,
  maxAmount: readMaxAmount.parse(maxAmount),
  signal: new Canceller(),
  wantsProgress: false,
  onProgress: () => {},
});

const heard = z.strictObject({
  message: z.strictObject({
    approvalId: z.string(),
    serviceId: z.string(),
    toolName: z.string(),
    argumentsHash: z.string(),
    payer: z.string(),
    payTo: z.string(),
    asset: z.string(),
    amount: z.string(),
    expiresAt: z.string(),
  }),
  chainId: z.int(),
  agent: z.nullable(z.string()),
  usedAt: z.null(),
  signature: z.string(),
  contract: z.nullable(z.string()),
  heardAt: z.iso.datetime(),
});

/** The approval, judged once more: for this call, in time, and the owner's. */
function heardApproval(receipt: Receipt, inputs: Inputs, payer: Address): StoredApproval {
  const { signature, contract, heardAt, ...stored } = heard.parse(given(inputs, 'approval'));
  const approval = stored as StoredApproval;
  const { serviceId, toolName, agent } = receipt;
  const argumentsHash = receipt.argumentsHash as `0x${string}`;
  const why = whyNotUsable(approval, { serviceId, toolName, argumentsHash, agent }, Date.parse(heardAt));
  if (why !== null) throw new Error(`the approval is ${why}`);
  const { approvers, owner } = readConfiguration.parse(given(inputs, 'configuration'));
  const mayApprove: readonly string[] = [owner ?? payer, ...approvers];
  const signer = recoverSigner(hashApproval(approval), signature)?.address;
  // A contract's word was the chain's to give; the receipt names the contract that gave it.
  const isOwners = mayApprove.includes(signer ?? '') || mayApprove.includes(contract ?? '');
  if (!isOwners) throw new Error('the approval is not signed by one who may approve');
  return approval;
}
