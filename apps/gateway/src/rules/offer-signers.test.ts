import { expect, test } from 'vitest';
import { readOfferSigner } from './offer-signers.ts';

test('a key is an address or a did:key of Ed25519, and nothing else [gateway.config.offer-signers]', () => {
  const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
  expect(readOfferSigner(address)).toEqual({
    kind: 'address',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  });
  // Of the did:key specification, "Ed25519", with the key that it says.
  expect(readOfferSigner('did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp')).toEqual({
    kind: 'ed25519',
    key: '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29',
  });
  for (const other of [
    '',
    '0x1234',
    'did:web:shop.example',
    'did:key:z6Mk',
    // secp256k1, of the same specification.
    'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
    'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW0',
  ])
    expect([other, readOfferSigner(other)]).toEqual([other, null]);
});
