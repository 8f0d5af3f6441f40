import { cartMessage } from '@countersign/protocol/gateway/cart-mandate';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { merchant, signedCart, stranger } from '../../test/samples.ts';
import { merchantSignatureHolds } from './merchant-signature.ts';

test('the signed text is JSON of five fields in this order, signed with EIP-191 [gateway.assurance.merchant.message] [gateway.assurance.merchant.eip191]', async () => {
  const cart = await signedCart();
  const { merchant_id, merchant_address, total_amount, currency, pay_to } = cart;
  const text = `{"merchant_id":"${merchant_id}","merchant_address":"${merchant_address}","total_amount":"${total_amount}","currency":"${currency}","pay_to":"${pay_to}"}`;
  expect(cartMessage(cart)).toBe(text);
  const merchant_signature = await merchant.signMessage({ message: text });
  expect(merchantSignatureHolds({ ...cart, merchant_signature }, merchant.publicKey)).toBe(true);
});

test('each field is covered: a change of any one breaks the signature', async () => {
  const cart = await signedCart();
  for (const [field, other] of Object.entries({
    merchant_id: 'other',
    total_amount: '0.010',
    currency: 'usdc',
    pay_to: stranger.address,
  })) {
    expect(merchantSignatureHolds({ ...cart, [field]: other }, merchant.publicKey)).toBe(false);
  }
});

test('the signer must be the registered key of the address that the cart names [gateway.assurance.merchant.address-from-key]', async () => {
  const forged = await signedCart({}, stranger);
  expect(merchantSignatureHolds(forged, merchant.publicKey)).toBe(false);
  // A dashboard that gives the forger's key for the merchant's address vouches for neither.
  expect(merchantSignatureHolds(forged, stranger.publicKey)).toBe(false);
  expect(merchantSignatureHolds(await signedCart(), '0x04')).toBe(false);
});

test('a signature over the bare text, or over a hash, is none', async () => {
  const cart = await signedCart();
  const account: LocalAccount = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  for (const merchant_signature of [
    '',
    '0x',
    `0x${'00'.repeat(65)}`,
    await account.signMessage({ message: `${cartMessage(cart)} ` }),
  ]) {
    expect(merchantSignatureHolds({ ...cart, merchant_signature }, merchant.publicKey)).toBe(false);
  }
});
