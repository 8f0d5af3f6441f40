import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asJws, merchantKey, offerOf, showing, signed } from '../../test/offers.ts';
import { address, merchant, now, policy, requirement } from '../../test/samples.ts';
import { findOffer, hasRunOut, type OfferedTerms } from './offer.ts';
import { isSignedBy } from './signed-artifact.ts';

const [token] = policy.tokens;
const terms: OfferedTerms = {
  resource: 'mcp://tool/quote',
  scheme: 'exact',
  chainId: 84532,
  asset: token?.address ?? address(merchant),
  payTo: address(merchant),
  units: 10_000n,
};

const units = fc.bigInt({ min: 0n, max: 10n ** 78n - 1n });

test('an offer is for a price if, and only if, both have the same base units, of any size [gateway.offer.refused]', () => {
  fc.assert(
    fc.property(units, fc.oneof(units, fc.constant(null)), (asked, other) => {
      const said = other ?? asked;
      const offer = { format: 'eip712', payload: offerOf({ amount: said.toString() }), signature: '0x' };
      const { kind } = findOffer(showing(offer), { ...terms, units: asked });
      expect(kind).toBe(said === asked ? 'offer' : 'mismatch');
    }),
  );
});

test('an amount in any other spelling is malformed [gateway.offer.refused]', () => {
  const odd = fc.oneof(
    units.map((value) => `0${value}`),
    units.map((value) => `-${value}`),
    units.map((value) => `0x${value.toString(16)}`),
    fc
      .double()
      .map(String)
      .filter((text) => !/^\d+$/.test(text)),
    fc.constantFrom('', ' 1', '1 ', '1e4', '1_000', '10000.0', 'NaN', '１００００', '9'.repeat(79)),
  );
  fc.assert(
    fc.property(odd, (amount) => {
      const offer = { format: 'eip712', payload: offerOf({ amount }), signature: '0x' };
      expect(findOffer(showing(offer), terms).kind).toBe('malformed');
    }),
  );
});

test('whatever stands where offers do is read without an exception, and only a good form is an offer [gateway.offer.refused]', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({
      format: fc.constantFrom('eip712', 'jws'),
      payload: fc.jsonValue(),
      signature: fc.jsonValue(),
    }),
    fc.string().map((text) => ({ format: 'jws', signature: `${text}.${text}.${text}` })),
    fc.jsonValue().map((payload) => asJws({ payload }, { key: merchantKey })),
  );
  const extensions = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map((info) => ({ 'offer-receipt': info })),
    fc.array(anything).map((offers) => showing(...offers)),
  );
  fc.assert(
    fc.property(extensions, (value) => {
      expect(['missing', 'malformed']).toContain(findOffer(value, terms).kind);
    }),
    { numRuns: 500 },
  );
});

test('one byte changed in an offer, or in its signature, and it is nobody’s [gateway.offer.refused]', async () => {
  const jws = asJws(offerOf(), { key: merchantKey });
  const eip712 = await signed(offerOf());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<{ signature: string }>(jws, eip712),
      fc.nat(),
      fc.integer({ min: 1, max: 31 }),
      async (good, at, change) => {
        const where = at % good.signature.length;
        const letter = String.fromCharCode(good.signature.charCodeAt(where) ^ change);
        const signature = good.signature.slice(0, where) + letter + good.signature.slice(where + 1);
        fc.pre(signature.toLowerCase() !== good.signature.toLowerCase());
        const found = findOffer(showing({ ...good, signature }), terms);
        const counts = found.kind === 'offer' && (await isSignedBy(found.signed, terms.payTo, [], null));
        expect(counts).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});

test('an offer runs out after its last second, and never without one [gateway.offer.refused]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_000_000_000 }), (validUntil) => {
      expect(hasRunOut(offerOf({ validUntil }), validUntil * 1000)).toBe(false);
      expect(hasRunOut(offerOf({ validUntil }), validUntil * 1000 + 1)).toBe(true);
    }),
  );
  expect(hasRunOut(offerOf({ validUntil: 0 }), now)).toBe(false);
  expect(requirement.amount).toBe('10000');
});
