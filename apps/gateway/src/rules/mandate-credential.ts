import type { Address } from '@countersign/protocol/address';
import { type Amount, parseAmount, smallerAmount, subtractAmounts } from '@countersign/protocol/amount';
import {
  type IntentMandateMessage,
  intentMandateDomain,
  intentMandateTypes,
  type MandateCredential,
  mandateCredential,
  parsePayerDid,
  rebuildMandateMessage,
} from '@countersign/protocol/dashboard/mandate-credential';
import { signedLimits } from '@countersign/protocol/dashboard/signed-limits';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { recoverSigner } from '@countersign/service/ethereum/signature';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { MandateAnswer } from './mandate.ts';
import { memoised } from './memoised.ts';

/**
 * The limits that the owner signed, never looser than the dashboard's current ones. `total` is the total
 * budget, as signed.
 */
export type SignedLimits = {
  readonly perTxLimit: Amount;
  readonly remaining: Amount;
  readonly total: Amount;
};

type Expected = {
  readonly payer: Address;
  readonly chainId: number;
  readonly now: number;
  /**
   * For an agent wallet: its owner and their account, by the statement, and whether the owner signed
   * `credentialHash`.
   */
  readonly agentOf?: { readonly owner: Address; readonly accountId: string; readonly signed: boolean };
};

/** The hash that must have been signed, and its claimed signature. */
export type Signed = { readonly hash: Uint8Array; readonly signature: string };

/**
 * Verifies the payer's credential (spec: gateway.assurance) and gives the smaller of the signed limits and the
 * dashboard's. The domain and types come from the protocol, never from the credential. Who must have signed is the payer
 * or, where that is an agent wallet, its owner.
 */
export function judgeMandate(
  mandate: MandateAnswer,
  expected: Expected,
): Result<SignedLimits, 'MANDATE_NOT_FOUND' | 'MANDATE_EXPIRED' | 'VC_PROOF_INVALID' | 'MANDATE_TAMPERED'> {
  if (mandate.status === 'expired') return fail('MANDATE_EXPIRED');
  if (mandate.status !== 'active') return fail('MANDATE_NOT_FOUND');
  const expiry = Date.parse(mandate.expiresAt);
  // A date that cannot be read compares false with everything: it must not count as "not yet expired".
  if (!(expiry > expected.now)) return fail('MANDATE_EXPIRED');

  const parsed = mandateCredential.safeParse(mandate.credential);
  if (!parsed.success) return fail('VC_PROOF_INVALID');
  const message = rebuildMandateMessage(parsed.data, mandate.expiresAt);
  const controller = provenController(parsed.data, message, expected.chainId, expected.agentOf?.signed);
  if (controller === null) return fail('VC_PROOF_INVALID');
  if (!isForPayer(message, controller, expected) || message.id !== mandate.id)
    return fail('MANDATE_TAMPERED');
  return withinSigned(mandate, signedLimits(parsed.data));
}

/**
 * Returns whether the credential is for this payer, by itself or, where it is an agent wallet, by its owner.
 */
function isForPayer(
  message: IntentMandateMessage,
  controller: Address,
  { payer, agentOf }: Expected,
): boolean {
  if (message.payerAddress !== payer) return false;
  if (agentOf === undefined) return controller === payer;
  return controller === agentOf.owner && message.accountId === agentOf.accountId;
}

/** The address that the credential names as its signer, if it really signed; else null. */
function provenController(
  credential: MandateCredential,
  message: IntentMandateMessage,
  chainId: number,
  signedByOwner: boolean | undefined,
): Address | null {
  const { verificationMethod } = credential.proof;
  const controller = verificationMethod.endsWith('#controller') ? parsePayerDid(verificationMethod) : null;
  if (controller === null || controller.chainId !== chainId) return null;
  if (parsePayerDid(credential.issuer)?.address !== controller.address) return null;
  if (signedByOwner !== undefined) return signedByOwner ? controller.address : null;
  const signed = signer(JSON.stringify([chainId, message]), credential.proof.proofValue);
  return signed === controller.address ? controller.address : null;
}

function withinSigned(
  mandate: MandateAnswer,
  signed: { perTxLimit: string; totalBudget: string },
): Result<SignedLimits, 'VC_PROOF_INVALID' | 'MANDATE_TAMPERED'> {
  const perTxLimit = parseAmount(signed.perTxLimit);
  const totalBudget = parseAmount(signed.totalBudget);
  if (perTxLimit === null || totalBudget === null) return fail('VC_PROOF_INVALID');
  const raised =
    mandate.perTxLimit > perTxLimit ||
    mandate.totalBudget > totalBudget ||
    mandate.remainingBudget > totalBudget;
  if (raised) return fail('MANDATE_TAMPERED');
  return ok({
    perTxLimit: smallerAmount(mandate.perTxLimit, perTxLimit),
    remaining: smallerAmount(mandate.remainingBudget, subtractAmounts(totalBudget, mandate.usedAmount)),
    total: totalBudget,
  });
}

/** Returns what an agent's owner must have signed with this mandate; null if it is not a credential. */
export function credentialHash(mandate: MandateAnswer, chainId: number): Signed | null {
  const parsed = mandateCredential.safeParse(mandate.credential);
  if (!parsed.success) return null;
  const message = rebuildMandateMessage(parsed.data, mandate.expiresAt);
  return { hash: hash(intentMandateDomain(chainId), message), signature: parsed.data.proof.proofValue };
}

const hash = typedDataHasher('IntentMandate', intentMandateTypes.IntentMandate);

/** The credential stays the same until the owner signs another, so most calls find it here. */
const signer = memoised((signed, signature) => {
  const [chainId, message] = JSON.parse(signed) as [number, Parameters<typeof hash>[1]];
  return recoverSigner(hash(intentMandateDomain(chainId), message), signature)?.address ?? null;
});
