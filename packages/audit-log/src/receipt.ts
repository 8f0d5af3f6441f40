import { hash, type KeyObject } from 'node:crypto';
import type { Receipt, SignedReceipt } from '@countersign/protocol/control/execution';
import { canonicalText } from './chain.ts';
import { publicKeyText, type Signer, signedBy } from './keys.ts';

/** Signs an execution's receipt with the log's key. */
export const signReceipt = (receipt: Receipt, signer: Signer): SignedReceipt => ({
  receipt,
  signature: signer.sign(digestOf(receipt)).toString('base64'),
  public_key: publicKeyText(signer.publicKey),
});

export const isReceiptSigned = (
  { receipt, signature }: { readonly receipt: object; readonly signature: string },
  key: KeyObject,
): boolean => signedBy(key, digestOf(receipt), signature);

/** SHA-256 of the domain and the RFC 8785 text of the receipt; that is what is signed. */
const digestOf = (receipt: object): Buffer =>
  hash('sha256', `countersign-execution-receipt-v1${canonicalText(receipt)}`, 'buffer');
