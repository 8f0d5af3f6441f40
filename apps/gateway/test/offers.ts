import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  artifactDomain,
  type OfferPayload,
  offerTypes,
  type ReceiptPayload,
  receiptTypes,
} from '@countersign/protocol/gateway/offer-receipt';
import type { LocalAccount } from 'viem/accounts';
import type { OfferSigner } from '../src/rules/offer-signers.ts';
import { merchant, now, owner, required, requirement } from './samples.ts';

/** The offer for the price of `required()`. */
export const offerOf = (changes: Partial<OfferPayload> = {}): OfferPayload => ({
  version: 1,
  resourceUrl: 'mcp://tool/quote',
  scheme: 'exact',
  network: requirement.network,
  asset: requirement.asset,
  payTo: merchant.address,
  amount: requirement.amount,
  validUntil: now / 1000 + 300,
  ...changes,
});

export const receiptOf = (changes: Partial<ReceiptPayload> = {}): ReceiptPayload => ({
  version: 1,
  network: requirement.network,
  resourceUrl: 'mcp://tool/quote',
  payer: owner.address,
  issuedAt: now / 1000 + 2,
  transaction: '',
  ...changes,
});

/** As the extension has it: EIP-712 over the payload, in the domain of chain 1. */
export async function signed(payload: OfferPayload | ReceiptPayload, signer: LocalAccount = merchant) {
  const kind = 'amount' in payload ? 'offer' : 'receipt';
  const whole = kind === 'offer' ? { validUntil: 0, ...payload } : { transaction: '', ...payload };
  const types: Record<string, { name: string; type: string }[]> = {
    Offer: [...offerTypes],
    Receipt: [...receiptTypes],
  };
  const signature = await signer.signTypedData({
    domain: artifactDomain(kind),
    types,
    primaryType: kind === 'offer' ? 'Offer' : 'Receipt',
    message: whole,
  });
  return { format: 'eip712', payload, signature };
}

const base64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The same as a JWS. */
export function asJws(payload: object, { key, header = {} }: { key: KeyObject; header?: object }) {
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256K';
  const input = `${base64Url({ alg, kid: 'did:web:shop.example#key-1', ...header })}.${base64Url(payload)}`;
  const digest = alg === 'EdDSA' ? null : 'sha256';
  const signature = sign(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return { format: 'jws', signature: `${input}.${signature.toString('base64url')}` };
}

/** A key of an account, as one of JOSE; `privateKey` is 64 hex digits. */
export function secp256k1Key(privateKey: string): KeyObject {
  const der = Buffer.concat([
    Buffer.from('303e020100301006072a8648ce3d020106052b8104000a042730250201010420', 'hex'),
    Buffer.from(privateKey, 'hex'),
  ]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Extensions that show these offers. */
export const showing = (...offers: readonly unknown[]) => ({
  'offer-receipt': { info: { offers }, schema: {} },
});

/** A price that is offered so. */
export const offered = (offers: readonly unknown[], changes: object = {}, extra: object = {}) => ({
  ...required(changes, extra),
  extensions: showing(...offers),
});

/** The sample merchant’s, as a key of JOSE. */
export const merchantKey = secp256k1Key('22'.repeat(32));
export const ed25519 = generateKeyPairSync('ed25519');
export const ed25519Hex = createPublicKey(ed25519.privateKey)
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('hex');
/** What a gateway is told whose owner admits this key for the sample service. */
export const admitting = (signer: OfferSigner) => ({
  policy: { offerSigners: new Map([['shop', [signer]]]) },
});
