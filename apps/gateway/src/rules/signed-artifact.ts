import type { Address } from '@countersign/protocol/address';
import {
  artifactDomain,
  type OfferPayload,
  offerPayload,
  offerTypes,
  type ReceiptPayload,
  receiptPayload,
  receiptTypes,
  type SignedArtifact,
} from '@countersign/protocol/gateway/offer-receipt';
import { ed25519Signed, es256kSigners, type Jws, readJws } from '@countersign/service/ethereum/jws';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { type ContractSigned, findSigner } from '@countersign/service/ethereum/wallet-signature';
import type { z } from 'zod';
import type { OfferSigner } from './offer-signers.ts';

/** An offer or a receipt whose form is good, with what its signature is over. */
export type Signed<P> = {
  readonly payload: P;
  readonly received: SignedArtifact;
  readonly proof:
    | { readonly format: 'eip712'; readonly hash: Uint8Array; readonly signature: string }
    | { readonly format: 'jws'; readonly jws: Jws };
};

export const readSignedOffer = (artifact: SignedArtifact): Signed<OfferPayload> | null =>
  readSigned(artifact, offerPayload, hashOffer);

export const readSignedReceipt = (artifact: SignedArtifact): Signed<ReceiptPayload> | null =>
  readSigned(artifact, receiptPayload, hashReceipt);

function readSigned<P>(
  received: SignedArtifact,
  schema: z.ZodType<P>,
  hash: (payload: P) => Uint8Array,
): Signed<P> | null {
  const jws = received.format === 'jws' ? readJws(received.signature) : null;
  if (received.format === 'jws' && jws === null) return null;
  const parsed = schema.safeParse(jws === null ? received.payload : jws.payload);
  if (!parsed.success) return null;
  const { data: payload } = parsed;
  const proof =
    jws === null
      ? ({ format: 'eip712', hash: hash(payload), signature: received.signature } as const)
      : ({ format: 'jws', jws } as const);
  return { payload, received, proof };
}

const offerStruct = typedDataHasher('Offer', offerTypes);
const hashOffer = ({ version, validUntil = 0, ...texts }: OfferPayload): Uint8Array =>
  offerStruct(artifactDomain('offer'), {
    ...texts,
    version: BigInt(version),
    validUntil: BigInt(validUntil),
  });

const receiptStruct = typedDataHasher('Receipt', receiptTypes);
const hashReceipt = ({ version, issuedAt, transaction = '', ...texts }: ReceiptPayload): Uint8Array =>
  receiptStruct(artifactDomain('receipt'), {
    ...texts,
    transaction,
    version: BigInt(version),
    issuedAt: BigInt(issuedAt),
  });

/**
 * Whether one who may sign for the payee did: its own wallet, by key or contract, or a key that the owner admitted. Nothing
 * that the artifact says of its own key counts. No answer of a contract is a no; never throws.
 */
export async function isSignedBy(
  { proof }: Signed<unknown>,
  payee: Address,
  admitted: readonly OfferSigner[],
  contractSigned: ContractSigned | null,
): Promise<boolean> {
  const wallets = [
    payee,
    ...admitted.flatMap((signer) => (signer.kind === 'address' ? [signer.address] : [])),
  ];
  if (proof.format === 'eip712')
    return (await findSigner(wallets, proof.hash, proof.signature, contractSigned)) !== null;
  const signers: readonly string[] = es256kSigners(proof.jws);
  return (
    wallets.some((wallet) => signers.includes(wallet)) ||
    admitted.some((signer) => signer.kind === 'ed25519' && ed25519Signed(proof.jws, signer.key))
  );
}
