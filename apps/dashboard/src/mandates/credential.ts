import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import {
  buildMandateCredential,
  type IntentMandateMessage,
  intentMandateDomain,
  intentMandateTypedData,
  intentMandateTypes,
  type MandateCredential,
  proveMandateCredential,
} from '@countersign/protocol/dashboard/mandate-credential';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { type Account, platformIdOf } from '../accounts/account.ts';
import type { MandateRecord } from './store.ts';

const hashIntentMandate = typedDataHasher('IntentMandate', intentMandateTypes.IntentMandate);

/** Returns the message for the owner to sign, built from our own record alone. */
const messageOf = (mandate: MandateRecord, owner: Account): IntentMandateMessage => ({
  id: mandate.id,
  accountId: mandate.accountId,
  payerAddress: mandate.agentWallet ?? owner.walletAddress,
  perTxLimit: mandate.perTxLimit,
  totalBudget: mandate.totalBudget,
  expiresAt: mandate.expiresAt.toISOString(),
});

const unsignedCredentialOf = (mandate: MandateRecord, owner: Account, chainId: number) =>
  buildMandateCredential(messageOf(mandate, owner), {
    chainId,
    platformId: platformIdOf(owner),
    title: mandate.title,
    owner: owner.walletAddress,
    issuedAt: mandate.createdAt.toISOString(),
  });

/** Everything that a wallet needs to sign a pending mandate. */
export const toSign = (mandate: MandateRecord, owner: Account, chainId: number) => ({
  mandateId: mandate.id,
  unsignedCredential: unsignedCredentialOf(mandate, owner, chainId),
  typedData: intentMandateTypedData(messageOf(mandate, owner), chainId),
  mandate: showMandate(mandate),
});

/** The EIP-712 hash of this very mandate, as its owner signs it. */
export const hashToSign = (mandate: MandateRecord, owner: Account, chainId: number): Uint8Array =>
  hashIntentMandate(intentMandateDomain(chainId), messageOf(mandate, owner));

/** The credential with the owner's signature as its proof, in the creation form. */
export function signedCredential(
  mandate: MandateRecord,
  owner: Account,
  { chainId, signature, now }: { chainId: number; signature: string; now: Date },
): MandateCredential {
  const payer = owner.walletAddress;
  return proveMandateCredential(unsignedCredentialOf(mandate, owner, chainId), {
    chainId,
    payer,
    created: now.toISOString(),
    signature,
  });
}

/** Reads the credential that `activateMandate` kept. */
export const storedCredential = (vcJson: string): MandateCredential =>
  JSON.parse(vcJson) as MandateCredential;

/** The mandate as its owner sees it. */
export function showMandate(mandate: MandateRecord): Mandate {
  const { usagePercent: _, ...shown } = mandate;
  return {
    ...shown,
    lastUsedAt: mandate.lastUsedAt?.toISOString() ?? null,
    vcJson: mandate.vcJson === null ? null : storedCredential(mandate.vcJson),
    expiresAt: mandate.expiresAt.toISOString(),
    createdAt: mandate.createdAt.toISOString(),
  };
}
