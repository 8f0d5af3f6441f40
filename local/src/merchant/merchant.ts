import type { Address } from '@countersign/protocol/address';
import { type CartMandate, cartMessage } from '@countersign/protocol/gateway/cart-mandate';
import { hashMessage } from '@countersign/service/ethereum/message';
import { addressOfPrivateKey, signHash } from '@countersign/service/ethereum/signature';
import { keyBytes, type PrivateKey } from '../private-key.ts';
import type { FacilitatorClient } from './facilitator-client.ts';

/** Who is paid, in what, and through whom. */
export type Merchant = {
  readonly id: string;
  /** Signs the carts, and receives the money. */
  readonly address: Address;
  /** CAIP-2, such as `eip155:84532`. */
  readonly network: string;
  /** Address of a token with 6 decimals that signs as USDC, version 2. */
  readonly asset: string;
  readonly facilitator: FacilitatorClient;
  /** The signed cart of one sale; `amount` is decimal text, as it stands in the cart. Same sale, same bytes. */
  readonly cart: (amount: string) => CartMandate;
};

export type MerchantOptions = Pick<Merchant, 'id' | 'network' | 'asset' | 'facilitator'> & {
  readonly privateKey: PrivateKey;
};

/** A merchant whose key signs carts and whose address is paid. */
export function createMerchant({ privateKey, ...merchant }: MerchantOptions): Merchant {
  const key = keyBytes(privateKey);
  const address = addressOfPrivateKey(key);
  const cart = (amount: string): CartMandate => {
    const sale = {
      merchant_id: merchant.id,
      merchant_address: address,
      total_amount: amount,
      currency: 'USDC',
      pay_to: address,
    };
    return { ...sale, merchant_signature: signHash(hashMessage(cartMessage(sale)), key) };
  };
  return { ...merchant, address, cart };
}
