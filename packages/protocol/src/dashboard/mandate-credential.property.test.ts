import * as fc from 'fast-check';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import { expect, test } from 'vitest';
import { type Address, parseAddress } from '../address.ts';
import { type Amount, formatAmount } from '../amount.ts';
import {
  buildMandateCredential,
  type IntentMandateMessage,
  intentMandateTypedData,
  mandateCredential,
  parsePayerDid,
  payerDid,
  proveMandateCredential,
  rebuildMandateMessage,
  returnedForm,
} from './mandate-credential.ts';
import { signedLimits } from './signed-limits.ts';

const decimal = fc.bigInt({ min: 1n, max: 10n ** 36n - 1n }).map((value) => formatAmount(value as Amount));
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => parseAddress(`0x${Buffer.from(bytes).toString('hex')}`) as Address);
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const message: fc.Arbitrary<IntentMandateMessage> = fc.record({
  id: fc.string({ minLength: 1 }),
  accountId: fc.string({ minLength: 1 }),
  payerAddress: address,
  perTxLimit: decimal,
  totalBudget: decimal,
  expiresAt: time,
});
const chain = fc.integer({ min: 1, max: 2 ** 31 });

/** viem's types want a literal per field; what counts here is what it computes. */
const hashOf = (data: unknown) => hashTypedData(data as TypedDataDefinition);

const credentialOf = (signed: IntentMandateMessage, chainId: number, title: string) =>
  proveMandateCredential(
    buildMandateCredential(signed, {
      chainId,
      platformId: 'acct_1',
      title,
      issuedAt: '2026-01-01T00:00:00.000Z',
    }),
    { chainId, payer: signed.payerAddress, created: '2026-01-01T00:00:01.000Z', signature: '0x00' },
  );

test('both forms of a credential carry the same limits and rebuild the very message that was signed', () => {
  fc.assert(
    fc.property(message, chain, fc.string(), (signed, chainId, title) => {
      const created = credentialOf(signed, chainId, title);
      const returned = returnedForm(created);
      for (const form of [created, returned, JSON.parse(JSON.stringify(returned)) as typeof returned]) {
        expect(mandateCredential.safeParse(form).success).toBe(true);
        expect(signedLimits(form)).toEqual({
          perTxLimit: signed.perTxLimit,
          totalBudget: signed.totalBudget,
        });
        expect(rebuildMandateMessage(form, signed.expiresAt)).toEqual(signed);
      }
      expect(returnedForm(returned)).toEqual(returned);
    }),
  );
});

test('the typed data survives JSON and any change to a signed field changes its hash', () => {
  const fields = ['id', 'accountId', 'perTxLimit', 'totalBudget', 'expiresAt'] as const;
  fc.assert(
    fc.property(message, chain, fc.constantFrom(...fields), (signed, chainId, field) => {
      const data = intentMandateTypedData(signed, chainId);
      const hash = hashOf(data);
      expect(hashOf(JSON.parse(JSON.stringify(data)))).toBe(hash);
      expect(hashOf(intentMandateTypedData({ ...signed, [field]: `${signed[field]}0` }, chainId))).not.toBe(
        hash,
      );
      expect(hashOf(intentMandateTypedData(signed, chainId + 1))).not.toBe(hash);
    }),
    { numRuns: 30 },
  );
});

test('the issuer names chain and payer, and is read back', () => {
  fc.assert(
    fc.property(address, chain, (payer, chainId) => {
      const did = payerDid(chainId, payer);
      expect(parsePayerDid(did)).toEqual({ chainId, address: payer });
      expect(parsePayerDid(`${did}#controller`)).toEqual({ chainId, address: payer });
      expect(parsePayerDid(`${did}#other`)).toBeNull();
      expect(parsePayerDid(`x${did}`)).toBeNull();
    }),
  );
});
