import { sameAddress } from '@countersign/protocol/address';
import { type CartMandate, cartMessage } from '@countersign/protocol/gateway/cart-mandate';
import { hashMessage } from '@countersign/service/ethereum/message';
import { addressOfPublicKey, recoverSigner } from '@countersign/service/ethereum/signature';
import { memoised } from './memoised.ts';

/**
 * Whether the cart was signed by the registered key of the address it names (spec: gateway.assurance). The
 * registered key must be that of `merchant_address`: a dashboard that mixes two up vouches for neither.
 */
export function merchantSignatureHolds(cart: CartMandate, publicKey: string): boolean {
  const registered = addressOfPublicKey(publicKey);
  if (registered === null || !sameAddress(registered, cart.merchant_address)) return false;
  return signer(cartMessage(cart), cart.merchant_signature) === registered;
}

/** A cart has no nonce, so one price has one signature, and it comes again with every call. */
const signer = memoised(
  (message, signature) => recoverSigner(hashMessage(message), signature)?.address ?? null,
);
