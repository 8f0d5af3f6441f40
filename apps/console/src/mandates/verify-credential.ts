import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import {
  intentMandateDomain,
  intentMandateTypes,
  type MandateCredential,
  parsePayerDid,
  rebuildMandateMessage,
} from '@countersign/protocol/dashboard/mandate-credential';
import { parseAmount } from '@countersign/protocol/decimal';
import { recoverTypedDataAddress } from 'viem';

/** The result of a check: statements that hold or do not. */
export type Verdict = {
  /** Who signed, recovered from the signature alone; null when the signature is none. */
  readonly signer: string | null;
  readonly checks: readonly { readonly says: string; readonly holds: boolean }[];
};

/**
 * Checks a credential in the browser: rebuilds the signed message from the credential and recovers the signer. Types
 * and domain are ours, never the credential's own, because a credential could name others.
 */
export async function verifyCredential(
  mandate: Mandate,
  credential: MandateCredential,
  owner: string,
): Promise<Verdict> {
  const issuer = parsePayerDid(credential.issuer);
  const message = rebuildMandateMessage(credential, mandate.expiresAt);
  const signer = issuer === null ? null : await signerOf(message, issuer.chainId, credential);
  return {
    signer,
    checks: [
      ...(mandate.agentWallet == null
        ? [{ says: 'The paying wallet signed it', holds: signer === message.payerAddress }]
        : [
            { says: 'Your wallet signed it', holds: signer === owner },
            { says: 'The agent’s wallet pays', holds: message.payerAddress === mandate.agentWallet },
          ]),
      { says: 'The issuer is the wallet that signed', holds: issuer?.address === signer },
      { says: 'It is this mandate’s credential', holds: message.id === mandate.id },
      {
        says: 'The current limits do not exceed the signed ones',
        holds:
          isWithin(mandate.perTxLimit, message.perTxLimit) &&
          isWithin(mandate.totalBudget, message.totalBudget),
      },
    ],
  };
}

/** Neither is above what it was signed for; a text that is no amount is never within. */
function isWithin(today: string, signed: string): boolean {
  const [a, b] = [parseAmount(today), parseAmount(signed)];
  return a !== null && b !== null && a <= b;
}

async function signerOf(
  message: ReturnType<typeof rebuildMandateMessage>,
  chainId: number,
  credential: MandateCredential,
): Promise<string | null> {
  try {
    return await recoverTypedDataAddress({
      domain: intentMandateDomain(chainId),
      types: intentMandateTypes,
      primaryType: 'IntentMandate',
      message,
      signature: credential.proof.proofValue as `0x${string}`,
    });
  } catch {
    return null;
  }
}
