import type { CallOutcome, GatewayPorts } from '../ports.ts';
import { canonicalText, sha256 } from './canonical.ts';
import { earlierInput, journalInput, mandateInput, settlementInput } from './inputs.ts';
import type { InputName } from './receipt.ts';

/** What was seen while one call was decided. */
export type Evidence = {
  /** Unix ms, before the owner's approval was heard. */
  readonly heardAt: number;
  /** Each answer in the form in which a receipt keeps it, made only when there is a receipt to make. */
  readonly seen: ReadonlyMap<InputName, () => unknown>;
  /** How the owner's approval was seen to be the owner's, where the call itself did not show it. */
  readonly owner: { readonly signature?: string; readonly contract?: string };
};

/** The ports of one call; they remember every answer that its decision can rest on. */
export type WatchedPorts = GatewayPorts & { readonly evidence: Evidence };

/** Watches one call: the same ports, the same answers. */
export function watch(ports: GatewayPorts): WatchedPorts {
  const seen = new Map<InputName, () => unknown>();
  const owner: { signature?: string; contract?: string } = {};
  const { services, holds, state, approvals, chain, wallet } = ports;
  return {
    ...ports,
    evidence: { heardAt: ports.now(), seen, owner },
    ...watchLookups(ports, seen),
    services: {
      ...services,
      async call(call) {
        const outcome = await services.call(call);
        keepDemand(seen, outcome);
        return outcome;
      },
      callPaid: (call, payment) =>
        kept(seen, 'settlement', services.callPaid(call, payment), settlementInput),
    },
    holds: { place: (hold, span) => kept(seen, 'hold', holds.place(hold, span)) },
    state: {
      ...state,
      paymentOf: (callKey) => kept(seen, 'earlier', state.paymentOf(callKey), earlierInput),
      openPayment: (...opening) => kept(seen, 'journal', state.openPayment(...opening), journalInput),
    },
    approvals: {
      ...approvals,
      async signatureOf(approvalId, span) {
        const signature = await approvals.signatureOf(approvalId, span);
        if (signature !== null) owner.signature = signature;
        return signature;
      },
    },
    chain: chain === null ? null : watchChain(chain, seen, owner),
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
function keepDemand(seen: Kept, outcome: CallOutcome): void {
  if (outcome.kind === 'payment-required') seen.set('requirement', () => outcome.requirement);
  if (outcome.kind === 'requirement-malformed')
    seen.set('unreadableDemand', () => ({ contentHash: sha256(canonicalText(outcome.content)) }));
}

function watchLookups(
  { compliance, mandates, wallet }: GatewayPorts,
  seen: Kept,
): Pick<GatewayPorts, 'compliance' | 'mandates'> {
  const side = (party: string) => (party === wallet.address ? 'payer' : 'payee');
  return {
    compliance: {
      kyc: (party, span) => kept(seen, `${side(party)}Kyc`, compliance.kyc(party, span)),
      kyt: (party, span) => kept(seen, `${side(party)}Kyt`, compliance.kyt(party, span)),
    },
    mandates: {
      publicKey: (merchant, span) => kept(seen, 'publicKey', mandates.publicKey(merchant, span)),
      async activeMandate(payer, span) {
        const found = await kept(seen, 'mandate', mandates.activeMandate(payer, span), mandateInput);
        if (found.kind === 'found') seen.set('credential', () => found.mandate.credential ?? null);
        return found;
      },
    },
  };
}

function watchChain(
  chain: NonNullable<GatewayPorts['chain']>,
  seen: Kept,
  owner: { contract?: string },
): NonNullable<GatewayPorts['chain']> {
  return {
    ...chain,
    authorizationUsed: (query) => kept(seen, 'chainUsed', chain.authorizationUsed(query)),
    findSettlement: (query) => kept(seen, 'chainFound', chain.findSettlement(query)),
    async signedByContract(wallet, hash, signature) {
      const signed = await chain.signedByContract(wallet, hash, signature);
      if (signed) owner.contract = wallet;
      return signed;
    },
  };
}
