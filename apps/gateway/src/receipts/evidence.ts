import type { HeardApproval } from '../payment/approval.ts';
import type { DemandOutcome } from '../rules/call-outcome.ts';
import { signedByKey } from '../rules/signed-by-key.ts';
import type { OwnerPort } from '../ports/owner.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { HoldAnswer, InboxWord } from '../ports/dashboard.ts';
import { canonicalText, sha256 } from '../canonical.ts';
import {
  contractQuestion,
  earlierInput,
  holdInput,
  journalInput,
  knownInput,
  mandateInput,
  settlementInput,
} from './inputs.ts';
import type { InputName } from './receipt.ts';

/** The inputs observed while one call was decided. */
export type Evidence = {
  /** Each answer in the form in which a receipt keeps it, made only when there is a receipt to make. */
  readonly seen: ReadonlyMap<InputName, () => unknown>;
  /** The owner's approval that the call brought; null without one. */
  readonly heard: HeardApproval | null;
  /** The same ports for a question whose answer decides nothing, unless it is noted. */
  readonly aside: Pick<GatewayPorts, 'holds' | 'wallet'>;
  readonly noteHold: (hold: HoldAnswer) => void;
};

/** The ports of one call; they remember every answer that its decision can rest on. */
export type WatchedPorts = GatewayPorts & { readonly evidence: Evidence };

/** Watches one call from the moment at which a service asks for money: the same ports, the same answers. */
export function watch(ports: GatewayPorts, demand: DemandOutcome, heard: HeardApproval | null): WatchedPorts {
  const seen: Kept = new Map([demandSeen(demand)]);
  const { services, holds, approvals, state, chain, owner, wallet } = ports;
  return {
    ...ports,
    evidence: {
      seen,
      heard,
      aside: { holds, wallet },
      noteHold: (hold) => void seen.set('hold', () => holdInput(hold)),
    },
    ...watchLookups(ports, seen),
    services: {
      ...services,
      callPaid: (call, payment) =>
        kept(seen, 'settlement', services.callPaid(call, payment), settlementInput),
    },
    approvals: {
      ...approvals,
      ask: async (request, span) => noted(seen, request.approvalId, await approvals.ask(request, span)),
      wordOf: async (approvalId, span) => noted(seen, approvalId, await approvals.wordOf(approvalId, span)),
    },
    holds: { ...holds, place: (hold, span) => kept(seen, 'hold', holds.place(hold, span), holdInput) },
    state: {
      ...state,
      paymentOf: (callKey) => kept(seen, 'earlier', state.paymentOf(callKey), earlierInput),
      paymentBy: (nonce) => kept(seen, 'earlier', state.paymentBy(nonce), earlierInput),
      findKnown: (entry) => kept(seen, 'journal', state.findKnown(entry), knownInput),
      openPayment: (...opening) => kept(seen, 'journal', state.openPayment(...opening), journalInput),
    },
    chain: chain === null ? null : watchChain(chain, seen),
    owner: owner === null ? null : watchOwner(owner, seen),
    wallet: {
      ...wallet,
      derive(text) {
        const nonce = wallet.derive(text);
        seen.set('nonce', () => nonce);
        return nonce;
      },
    },
  };
}

type Kept = Map<InputName, () => unknown>;

/** A receipt names what was rejected, and never in whose words. */
function noted(seen: Kept, approvalId: string, word: InboxWord): InboxWord {
  if (word.kind === 'rejected') seen.set('rejection', () => ({ approvalId }));
  return word;
}

async function kept<T>(
  seen: Kept,
  name: InputName,
  asked: Promise<T>,
  form: (answer: T) => unknown = (answer) => answer,
): Promise<T> {
  const answer = await asked;
  seen.set(name, () => form(answer));
  return answer;
}

/** An answer in which no price can be read is only named: it may be of any size, and no rule reads it. */
const demandSeen = (demand: DemandOutcome): readonly [InputName, () => unknown] =>
  demand.kind === 'payment-required'
    ? ['requirement', () => demand.requirement]
    : ['unreadableDemand', () => ({ contentHash: sha256(canonicalText(demand.content)) })];

function watchLookups(
  { compliance, mandates, owner, wallet }: GatewayPorts,
  seen: Kept,
): Pick<GatewayPorts, 'compliance' | 'mandates'> {
  const isOwner = (party: string) => party === owner?.address;
  const side = (party: string) => (party === wallet.address ? 'payer' : 'payee');
  return {
    compliance: {
      kyc: (party, span) =>
        kept(seen, isOwner(party) ? 'payerKyc' : `${side(party)}Kyc`, compliance.kyc(party, span)),
      kyt: (party, span) =>
        kept(seen, isOwner(party) ? 'ownerKyt' : `${side(party)}Kyt`, compliance.kyt(party, span)),
    },
    mandates: {
      publicKey: (merchant, span) => kept(seen, 'publicKey', mandates.publicKey(merchant, span)),
      async activeMandate(payer, span) {
        const found = await kept(seen, 'mandate', mandates.activeMandate(payer, span), mandateInput);
        if (found.kind !== 'found') return found;
        const { credential, statement } = found.mandate;
        seen.set('credential', () => credential ?? null);
        if (owner !== null) seen.set('agentStatement', () => statement ?? null);
        return found;
      },
    },
  };
}

/** A key's signature speaks for itself; what a contract said of one is kept. */
function watchOwner(owner: OwnerPort, seen: Kept): OwnerPort {
  const said: Record<string, boolean> = {};
  return {
    ...owner,
    async signed(hash, signature, chainId) {
      const signed = await owner.signed(hash, signature, chainId);
      if (signedByKey(owner.address, hash, signature)) return signed;
      said[Buffer.from(hash).toString('hex')] = signed;
      seen.set('ownersContract', () => said);
      return signed;
    },
  };
}

function watchChain(
  chain: NonNullable<GatewayPorts['chain']>,
  seen: Kept,
): NonNullable<GatewayPorts['chain']> {
  const said: Record<string, boolean> = {};
  return {
    ...chain,
    signedByContract: (chainId) => async (wallet, hash, signature) => {
      const signed = await chain.signedByContract(chainId)(wallet, hash, signature);
      said[contractQuestion(wallet, hash)] = signed;
      seen.set('payeesContract', () => said);
      return signed;
    },
    authorizationUsed: (query) => kept(seen, 'chainUsed', chain.authorizationUsed(query)),
    findSettlement: (query, signal) => kept(seen, 'chainFound', chain.findSettlement(query, signal)),
    permit2Standing: (query) => kept(seen, 'chainAllowance', chain.permit2Standing(query)),
  };
}
