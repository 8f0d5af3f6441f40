import type { Address } from '@countersign/protocol/address';
import { type Decided, decisionFields, decisionTypedData } from '@countersign/protocol/control/decision';
import { recoverSigner } from '@countersign/service/ethereum/signature';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';

const hash = typedDataHasher('ExecutionDecision', decisionFields);

/** Whose wallet signed exactly this decision; null where the text is no signature that Ethereum would take. */
export function signerOf(decided: Decided, signature: string): Address | null {
  const { domain, message } = decisionTypedData(decided);
  const digest = hash(domain, { ...message, policyVersion: BigInt(message.policyVersion) });
  return recoverSigner(digest, signature)?.address ?? null;
}
