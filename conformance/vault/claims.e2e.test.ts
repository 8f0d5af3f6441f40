import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession } from './fixtures/browser-session.ts';
import { startSite, type Site } from './fixtures/sites/site.ts';
import { joinVault, type TestVault } from './fixtures/vault.ts';

const claims = {
  id: 'did:example:ada',
  passport: 'C01X0006H',
  birthDate: '1987-04-23',
  nationality: 'DE',
  name: 'Katharina Brandstetter',
  isAdult: true,
};
const shown = 'DE true: passport C01X0006H, born 23 April 1987 (1987-04-23, 04/23/1987, 23.4.1987)';
const hidden = 'DE true: passport ███, born ███ (███, ███, ███)';
let vault: TestVault, token: string, site: Site, id: string;

beforeAll(async () => {
  vault = await joinVault();
  token = await vault.tokenOf(vault.admin);
  site = await startSite(
    {},
    {
      otherwise: (request) => {
        if (request.path !== '/present')
          return { body: `<!doctype html><meta charset=utf-8><title>Me</title><p id=me>${shown}</p>` };
        const { vp } = JSON.parse(request.body) as { vp: { credentialSubject: typeof claims } };
        const { passport, name } = vp.credentialSubject;
        const answer = { verified: true, claims: vp.credentialSubject, summary: `${passport} of ${name}` };
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) };
      },
    },
  );
  const credential_json = { type: ['VerifiableCredential'], credentialSubject: claims };
  const plaintext_data = { did: claims.id, credential_json };
  const kept = { credential_type: 'identity_credential', plaintext_data, allowed_urls: [site.origin] };
  id = String((await vault.newCredential(token, kept)).id);
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
});

const open = (credential_ids: string[], origin = site.origin) =>
  BrowserSession.open(vault, token, {
    allowed_urls: [origin],
    credential_ids,
    start_url: `${origin}/me`,
    task: 'Present the identity credential and read the page',
  });
const read = async (origin?: string) => {
  const session = await open([], origin);
  const said = await session.do({ operation_type: 'extract', selector: '#me' });
  await session.close();
  return said;
};

test('no page of the credential’s site shows its claims, whatever the machine is called [vault.sandbox.masking.outputs]', async () => {
  expect(await read()).toBe(hidden);
  expect(await read(site.origin.replace('127.0.0.1', 'localhost'))).toBe(hidden);
});

test('control: a page of another site shows the same text as it is [vault.sandbox.masking.outputs]', async () => {
  const other = await startSite(
    {},
    {
      otherwise: () => ({ body: `<!doctype html><meta charset=utf-8><p id=me>${shown}</p>` }),
    },
  );
  expect(await read(other.origin)).toBe(shown);
  await other.stop();
});

test('a verifier that answers with the claims tells them to nobody [vault.sandbox.masking.outputs]', async () => {
  const session = await open([id]);
  const value =
    "const answer = await fetch('/present', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ vp: {{CREDENTIAL.credential_json}} }) }); return await answer.text()";
  const { data } = await session.operate({ operation_type: 'execute_script', credential_id: id, value });
  const path = `/api/v1/sandbox/sessions/${session.id}/approvals/${data.operation_id}`;
  const decided = await vault.ask('POST', path, { token, body: { decision: 'approve' } });
  const all = await session.ask('GET', '/operations');
  await session.close();
  expect(
    site.received.some(({ path: at, body }) => at === '/present' && body.includes(claims.passport)),
  ).toBe(true);
  expect(decided.text).toContain('verified');
  for (const claim of [claims.passport, claims.birthDate, claims.name])
    expect(decided.text + all.text).not.toContain(claim);
});
