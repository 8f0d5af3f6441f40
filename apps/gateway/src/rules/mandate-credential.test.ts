import {
  intentMandateDomain,
  intentMandateTypes,
  mandateCredential,
  rebuildMandateMessage,
} from '@countersign/protocol/dashboard/mandate-credential';
import { expect, test } from 'vitest';
import { address, amount, now, owner, signedMandate, stranger } from '../../test/samples.ts';
import { judgeMandate } from './mandate-credential.ts';

const judge = (mandate: Awaited<ReturnType<typeof signedMandate>>, changes: object = {}) => {
  const result = judgeMandate(mandate, { payer: address(owner), chainId: 84532, now, ...changes });
  return result.ok ? result.value : result.error;
};
const credentialOf = (mandate: Awaited<ReturnType<typeof signedMandate>>) =>
  structuredClone(mandate.credential) as Record<string, never> & {
    issuer: string;
    proof: { proofValue: string; verificationMethod: string; eip712: { types: unknown } };
    credentialSubject: { title: string; payer: { address: string } };
  };

test('a credential that the owner signed gives its limits', async () => {
  const limits = { perTxLimit: amount('1'), remaining: amount('20'), total: amount('20') };
  expect(judge(await signedMandate())).toEqual(limits);
});

test('the smaller of the signed limit and the dashboard’s is used [gateway.assurance.signed-limits-win]', async () => {
  const mandate = await signedMandate({ perTxLimit: amount('0.5'), remainingBudget: amount('3') });
  const limits = { perTxLimit: amount('0.5'), remaining: amount('3'), total: amount('20') };
  expect(judge(mandate)).toEqual(limits);
});

test('what was used counts against the signed total, whatever the dashboard says is left', async () => {
  expect(judge(await signedMandate({ usedAmount: amount('19') }))).toMatchObject({ remaining: amount('1') });
});

test.each([
  ['the per-transaction limit', { perTxLimit: amount('1.000000000000000001') }],
  ['the total', { totalBudget: amount('21') }],
  ['what is left', { remainingBudget: amount('21') }],
])('a dashboard that raises %s on its own is MANDATE_TAMPERED', async (_name, changes) => {
  expect(judge(await signedMandate(changes))).toBe('MANDATE_TAMPERED');
});

test('another mandate’s credential, and another payer’s, are MANDATE_TAMPERED [gateway.assurance.credential.is-the-payers]', async () => {
  expect(judge(await signedMandate({ id: 'mdt_2' }))).toBe('MANDATE_TAMPERED');
  const foreign = await signedMandate({}, { payerAddress: address(stranger) }, stranger);
  expect(judge(foreign)).toBe('MANDATE_TAMPERED');
});

test('an expiry other than the signed one is VC_PROOF_INVALID [gateway.assurance.credential.expires-at-signed] [gateway.assurance.credential.message]', async () => {
  expect(judge(await signedMandate({ expiresAt: '2027-12-21T12:00:00.000Z' }))).toBe('VC_PROOF_INVALID');
});

test('a signature by anybody else is VC_PROOF_INVALID', async () => {
  expect(judge(await signedMandate({}, {}, stranger))).toBe('VC_PROOF_INVALID');
});

test('a credential that is none is VC_PROOF_INVALID', async () => {
  for (const credential of [null, {}, 'vc', [], { proof: {} }]) {
    expect(judge(await signedMandate({ credential }))).toBe('VC_PROOF_INVALID');
  }
});

test('a proof of another chain, or an issuer that is not the signer, is VC_PROOF_INVALID [gateway.assurance.credential.did-address]', async () => {
  expect(judge(await signedMandate(), { chainId: 8453 })).toBe('VC_PROOF_INVALID');
  const mandate = await signedMandate();
  const issued = credentialOf(mandate);
  issued.issuer = issued.issuer.replace(owner.address, stranger.address);
  expect(judge({ ...mandate, credential: issued })).toBe('VC_PROOF_INVALID');
  const bare = credentialOf(mandate);
  bare.proof.verificationMethod = bare.proof.verificationMethod.replace('#controller', '');
  expect(judge({ ...mandate, credential: bare })).toBe('VC_PROOF_INVALID');
});

test('types that a credential brings along are never used', async () => {
  const mandate = await signedMandate();
  const credential = credentialOf(mandate);
  credential.proof.eip712.types = { IntentMandate: [] };
  expect(judge({ ...mandate, credential })).toMatchObject({ perTxLimit: amount('1') });
});

test('expired by its date or by its status is MANDATE_EXPIRED, also when the date makes no sense', async () => {
  expect(judge(await signedMandate(), { now: Date.parse('2026-12-21T12:00:00.000Z') })).toBe(
    'MANDATE_EXPIRED',
  );
  expect(judge(await signedMandate({ status: 'expired' }))).toBe('MANDATE_EXPIRED');
  expect(judge(await signedMandate({ expiresAt: 'tomorrow' }))).toBe('MANDATE_EXPIRED');
});

test.each(['pending', 'revoked', 'exhausted', 'whatever'])(
  'a mandate that is %s is MANDATE_NOT_FOUND',
  async (status) => {
    expect(judge(await signedMandate({ status }))).toBe('MANDATE_NOT_FOUND');
  },
);

test('a signature under another domain is VC_PROOF_INVALID [gateway.assurance.credential.domain]', async () => {
  const mandate = await signedMandate();
  for (const change of [{ name: 'Other Intent Mandate' }, { version: '2' }, { chainId: 8453 }]) {
    const credential = credentialOf(mandate);
    credential.proof.proofValue = await owner.signTypedData({
      domain: { ...intentMandateDomain(84532), ...change },
      types: intentMandateTypes,
      primaryType: 'IntentMandate',
      message: rebuildMandateMessage(mandateCredential.parse(mandate.credential), mandate.expiresAt),
    });
    expect(judge({ ...mandate, credential })).toBe('VC_PROOF_INVALID');
  }
});
