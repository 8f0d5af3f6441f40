import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { type About, openBuyer } from '../../test/buying.ts';
import { asJws, ed25519, merchantKey, offered, offerOf, secp256k1Key, signed } from '../../test/offers.ts';
import { address, now, owner, stranger } from '../../test/samples.ts';

const { buy, reports } = openBuyer();

const mismatch = 'CART_MANDATE_MISMATCH';
const forged = 'MERCHANT_SIGNATURE_INVALID';
const malformed = 'CART_MANDATE_INVALID';
const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) });

test.each<
  [what: string, code: string, why: string, offers: () => Promise<readonly unknown[]>, about?: About]
>([
  [
    'for a lower price than is asked',
    mismatch,
    'another amount',
    async () => [await signed(offerOf({ amount: '9999' }))],
  ],
  [
    'for a higher price',
    mismatch,
    'another amount',
    async () => [await signed(offerOf({ amount: '10001' }))],
  ],
  [
    'for another payee',
    mismatch,
    'another payee',
    async () => [await signed(offerOf({ payTo: stranger.address }))],
  ],
  [
    'for another token',
    mismatch,
    'another asset',
    async () => [await signed(offerOf({ asset: stranger.address }))],
  ],
  [
    'for the mainnet',
    mismatch,
    'another network',
    async () => [await signed(offerOf({ network: 'eip155:8453' }))],
  ],
  [
    'for the network by its v1 name',
    mismatch,
    'another network',
    async () => [await signed(offerOf({ network: 'base-sepolia' }))],
  ],
  ['for another scheme', mismatch, 'another scheme', async () => [await signed(offerOf({ scheme: 'upto' }))]],
  [
    'of another tool',
    mismatch,
    'another resource',
    async () => [await signed(offerOf({ resourceUrl: 'mcp://tool/report' }))],
  ],
  [
    'that has expired',
    mismatch,
    'has expired',
    async () => [await signed(offerOf({ validUntil: now / 1000 - 1 }))],
  ],
  ['by somebody else', forged, 'neither the payee', async () => [await signed(offerOf(), stranger)]],
  ['by the payer itself', forged, 'neither the payee', async () => [await signed(offerOf(), owner)]],
  [
    'whose price was changed after it was signed',
    forged,
    'neither the payee',
    async () => [{ ...(await signed(offerOf({ amount: '1' }))), payload: offerOf() }],
  ],
  [
    'by a contract that knows nothing of it',
    forged,
    'neither the payee',
    async () => [{ ...(await signed(offerOf())), signature: `0x${'ab'.repeat(200)}` }],
    { contract: false },
  ],
  [
    'as a JWS by a key that it shows itself',
    forged,
    'neither the payee',
    async () => [
      asJws(offerOf(), {
        key: ed25519.privateKey,
        header: { jwk: createPublicKey(ed25519.privateKey).export({ format: 'jwk' }) },
      }),
    ],
  ],
  [
    'as a JWS that shows another key than it was signed by',
    forged,
    'neither the payee',
    async () => [
      asJws(offerOf(), {
        key: merchantKey,
        header: { jwk: createPublicKey(secp256k1Key('33'.repeat(32))).export({ format: 'jwk' }) },
      }),
    ],
  ],
  [
    'by a key that another service may sign with',
    forged,
    'neither the payee',
    async () => [await signed(offerOf(), stranger)],
    {
      policy: { offerSigners: new Map([['other', [{ kind: 'address', address: address(stranger) }]]]) },
    },
  ],
  [
    'by somebody else, beside one by the payee that has expired',
    forged,
    'neither the payee',
    async () => [await signed(offerOf({ validUntil: now / 1000 - 1 })), await signed(offerOf(), stranger)],
  ],
  [
    'by the payee for less, beside one by somebody else',
    forged,
    'neither the payee',
    async () => [await signed(offerOf({ amount: '1' })), await signed(offerOf(), stranger)],
  ],
  [
    'with a field that no signature covers',
    malformed,
    'malformed',
    async () => [{ ...(await signed(offerOf())), payload: { ...offerOf(), discount: '1' } }],
  ],
  [
    'without a field',
    malformed,
    'malformed',
    async () => [{ ...(await signed(offerOf())), payload: { version: 1 } }],
  ],
  [
    'of a version to come',
    malformed,
    'malformed',
    async () => [asJws({ ...offerOf(), version: 2 }, { key: merchantKey })],
  ],
  [
    'with a price of a decimal',
    malformed,
    'malformed',
    async () => [await signed(offerOf({ amount: '1.5' }))],
  ],
  [
    'with a negative end',
    malformed,
    'malformed',
    async () => [asJws({ ...offerOf(), validUntil: -1 }, { key: merchantKey })],
  ],
  [
    'with an end that no number holds',
    malformed,
    'malformed',
    async () => [asJws({ ...offerOf(), validUntil: 1e300 }, { key: merchantKey })],
  ],
  [
    'with two payloads',
    malformed,
    'malformed',
    async () => [{ ...asJws(offerOf(), { key: merchantKey }), payload: offerOf() }],
  ],
  [
    'as a JWS that none may understand',
    malformed,
    'malformed',
    async () => [asJws(offerOf(), { key: merchantKey, header: { crit: ['exp'] } })],
  ],
  [
    'as a JWS without a signature',
    malformed,
    'malformed',
    async () => [
      {
        format: 'jws',
        signature: `${Buffer.from('{"alg":"none","kid":"a"}').toString('base64url')}.${Buffer.from(JSON.stringify(offerOf())).toString('base64url')}.`,
      },
    ],
  ],
  ['in a form that nobody knows', malformed, 'malformed', async () => [{ format: 'cose', signature: 'ab' }]],
  [
    'beside a malformed one',
    malformed,
    'malformed',
    async () => [await signed(offerOf()), { format: 'eip712' }],
  ],
  [
    'a hundred times',
    malformed,
    'malformed',
    async () => Array.from({ length: 100 }, () => ({ format: 'jws', signature: 'a' })),
  ],
  [
    'of a hundred kilobytes',
    malformed,
    'malformed',
    async () => [{ format: 'jws', signature: 'a'.repeat(100_000) }],
  ],
  [
    'nested twenty levels deep',
    malformed,
    'malformed',
    async () => [{ format: 'eip712', payload: deep(20), signature: '0x' }],
  ],
])(
  'an offer %s is refused, and nothing is paid [gateway.offer.refused]',
  async (_, code, why, offers, about) => {
    const { answer, paid, context } = await buy(offered(await offers()), about);
    expect(answer).toMatchObject({
      code,
      stage: 'assurance_check',
      message: expect.stringContaining(why),
      detail: {
        paymentMade: false,
        assuranceResult: { passed: false, errorCode: code, errorMessage: expect.stringContaining('offer') },
      },
    });
    expect(context).toMatchObject({ judged: 'offer' });
    expect(paid).toBe(0);
    expect(reports()).toMatchObject([
      { serviceResult: 'reject', metadata: { why: expect.stringContaining(why) } },
    ]);
  },
);

test('an offer nested deeper than any price is refused unread [gateway.offer.refused]', async () => {
  const { answer, paid } = await buy(offered([{ format: 'eip712', payload: deep(40), signature: '0x' }]));
  expect(answer.code).toBe('PAYMENT_REQUIREMENT_INVALID');
  expect(paid).toBe(0);
});

test('a price that names no resource has no offer that is bound to it [gateway.offer.refused]', async () => {
  const { answer, paid } = await buy({ ...offered([await signed(offerOf())]), resource: null });
  expect(answer.code).toBe(mismatch);
  expect(paid).toBe(0);
});
