import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession } from './fixtures/browser-session.ts';
import { bindingOf } from './fixtures/credentials.ts';
import { Enclaves } from './fixtures/enclave-process.ts';
import { startSite } from './fixtures/sites/forum.ts';
import { joinVault } from './fixtures/vault.ts';
import type { EnclaveClient } from '@countersign/service/enclave-client';

const enclaves = new Enclaves();
let client: EnclaveClient;
beforeAll(async () => {
  client = await enclaves.connect(await enclaves.start(enclaves.newDir()));
});
afterAll(() => enclaves.end());

const issuer = privateKeyToAccount(generatePrivateKey());
const did = `did:ethr:${issuer.address}`;

const credential = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential'],
  issuer: { id: did },
  issuanceDate: '2026-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:ada', age: 37, adult: true, address: { country: 'NL' } },
};

/** As wallets and issuers do it: types made of the document, signed by an independent implementation of EIP-712. */
const types = {
  VerifiableCredential: [
    { name: '@context', type: 'string[]' },
    { name: 'credentialSubject', type: 'CredentialSubject' },
    { name: 'issuanceDate', type: 'string' },
    { name: 'issuer', type: 'Issuer' },
    { name: 'proof', type: 'Proof' },
    { name: 'type', type: 'string[]' },
  ],
  Address: [{ name: 'country', type: 'string' }],
  CredentialSubject: [
    { name: 'address', type: 'Address' },
    { name: 'adult', type: 'bool' },
    { name: 'age', type: 'uint256' },
    { name: 'id', type: 'string' },
  ],
  Issuer: [{ name: 'id', type: 'string' }],
  Proof: [
    { name: 'created', type: 'string' },
    { name: 'proofPurpose', type: 'string' },
    { name: 'type', type: 'string' },
    { name: 'verificationMethod', type: 'string' },
  ],
} as const;
const domain = { name: 'VerifiableCredential', version: '1', chainId: 84_532 } as const;

async function signedCredential() {
  const proof = {
    type: 'EthereumEip712Signature2021',
    created: '2026-01-01T00:00:00Z',
    proofPurpose: 'assertionMethod',
    verificationMethod: `${did}#controller`,
  };
  const message = { ...credential, proof } as unknown as Record<string, unknown>;
  const proofValue = await issuer.signTypedData({
    domain,
    types,
    primaryType: 'VerifiableCredential',
    message: message as never,
  });
  const eip712 = { domain, types, primaryType: 'VerifiableCredential' };
  return { ...credential, proof: { ...proof, proofValue, eip712 } };
}

/** What opening it gives: the state that its record tells, or the refusal. */
async function used(credential_json: object): Promise<unknown> {
  const binding = bindingOf({ type: 'identity_credential' });
  const plaintext = Buffer.from(JSON.stringify({ credential_json, did: 'did:example:ada' }));
  const sealed = await client.call('seal', { binding, sealed: false }, plaintext);
  if (!sealed.ok) throw new Error(sealed.error.code);
  const { envelope } = sealed.value.reply;
  const opened = await client.call('open', { binding, envelope, actor: 'user:ada', reason: 'to present it' });
  if (!opened.ok) return opened.error;
  const { tenantId, credentialId } = binding;
  const records = await client.call('audit.query', {
    filter: { tenantId, credentialId },
    limit: 1,
    offset: 0,
  });
  return records.ok ? records.value.reply.items[0]?.detail['identity'] : null;
}

test('a credential that the owner of an address signed is checked at its use, and refused with anything changed [vault.credential.identity.eip712] [vault.credential.identity.checked-at-use]', async () => {
  const good = await signedCredential();
  expect(await used(good)).toEqual({ shape: 'complete', dates: 'current', proof: 'valid' });

  const refused = { code: 'INVALID_PLAINTEXT', field: 'credential_json' };
  const other = privateKeyToAccount(generatePrivateKey()).address;
  for (const changed of [
    { ...good, credentialSubject: { ...credential.credentialSubject, age: 17 } },
    { ...good, credentialSubject: { ...credential.credentialSubject, admin: true } },
    { ...good, extra: { more: 'x' } },
    { ...good, issuer: { id: `did:ethr:${other}` } },
    { ...good, proof: { ...good.proof, verificationMethod: `did:ethr:${other}#controller` } },
    {
      ...good,
      proof: { ...good.proof, eip712: { ...good.proof.eip712, domain: { ...domain, chainId: 1 } } },
    },
  ])
    expect(await used(changed)).toEqual(refused);
});

test('of a proof of another suite the record says that it was not checked [vault.credential.identity.unchecked]', async () => {
  const unchecked = { ...credential, proof: { type: 'BbsBlsSignature2020', proofValue: 'x' } };
  expect(await used(unchecked)).toEqual({ shape: 'complete', dates: 'current', proof: 'unchecked' });
});

const presentation = (path: string, member: string) => ({
  operation_type: 'execute_script',
  value: `const answer = await fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ${member}: {{CREDENTIAL.credential_json}} }) }); return answer.status`,
});

test('by script it is presented once a person agreed to the place, then in new sessions too; nowhere else [vault.review.identity.place] [vault.review.identity.request]', async () => {
  const [vault, site] = await Promise.all([joinVault(), startSite()]);
  try {
    const { username, token: owner } = await vault.newUser('ada');
    const agent = await vault.newToken(owner, ['credential:use', 'credential:read']);
    const { id } = await vault.newCredential(owner, {
      credential_type: 'identity_credential',
      plaintext_data: { credential_json: credential, did: 'did:example:ada' },
      allowed_urls: [site.url],
    });
    const open = () =>
      BrowserSession.open(vault, agent, {
        task: 'Prove my age',
        credential_ids: [id],
        allowed_urls: [site.url],
        start_url: `${site.url}/login`,
      });
    const first = await open();
    const { data } = await first.operate(presentation('/verify', 'vp'));
    expect(data).toMatchObject({
      status: 'pending_approval',
      review: { rules: [{ rule: 'credential.new-place' }] },
    });
    expect(site.received).toEqual([]);
    const path = `/api/v1/sandbox/sessions/${first.id}/approvals/${data.operation_id}`;
    const place = { origin: site.url, path: '/verify', method: 'POST', field: 'vp' };
    expect((await vault.ask('GET', path, { token: owner })).data).toMatchObject({ place });
    const decided = await vault.ask('POST', path, { token: owner, body: { decision: 'approve' } });
    expect(decided.data).toMatchObject({ status: 'executed', result: 200 });
    const uses = await vault.ask('GET', `/api/v1/credentials/${id}/uses`, { token: owner });
    expect(uses.data.items).toMatchObject([{ ...place, allowed_by: `user:${username}` }]);
    expect(await first.do(presentation('/verify', 'vp'))).toBe(200);
    await first.close();

    const second = await open();
    expect(await second.do(presentation('/verify', 'vp'))).toBe(200);
    expect(site.received).toEqual(Array(3).fill(JSON.stringify({ vp: credential })));
    for (const elsewhere of [presentation('/verify', 'text'), presentation('/profile/save', 'vp')])
      expect((await second.operate(elsewhere)).data.status).toBe('pending_approval');
    expect((await second.operate(presentation('/comments', 'vp'))).data.status).toBe('rejected');
    expect(site.received).toHaveLength(3);
    await second.close();
  } finally {
    await Promise.all([vault.stop(), site.stop()]);
  }
});
