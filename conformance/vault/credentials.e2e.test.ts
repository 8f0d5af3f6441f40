import { createHash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRecipient, openSealed, sealFor } from './fixtures/sealing.ts';
import { refused, startVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
beforeAll(async () => {
  vault = await startVault();
  token = await vault.tokenOf(vault.admin);
});
afterAll(() => vault?.stop());

const create = (body: object) => vault.ask('POST', '/api/v1/credentials', { token, body });
const decrypt = (id: string, body: object = { reason: 'test' }, bearer = token) =>
  vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token: bearer, body });

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const presentation = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential'],
  issuer: 'did:key:z6Mk',
  issuanceDate: '2026-01-01T00:00:00Z',
  credentialSubject: { id: 'did:key:z6Mk' },
  proof: { type: 'OtherSuite2030' },
};

/** Of each type: the fields that it must have, and those that it may have. */
const types = [
  ['username_password', { username: 'u', password: 'p' }, {}],
  ['api_key', { key: 'k' }, { secret: 's' }],
  ['oauth_token', { refresh_token: 'r' }, {}],
  ['certificate', { certificate: pem }, { private_key: pem }],
  ['ssh_key', { ssh_key: 'ssh-ed25519 AAAA' }, {}],
  [
    'database_connection',
    { host: 'h', port: 5432, database: 'd', username: 'u', password: 'p' },
    { port: '5432' },
  ],
  [
    'identity_credential',
    { credential_json: presentation, did: 'did:key:z6Mk' },
    { zk_proof: 'z', credential_type: 'c' },
  ],
] as const;

describe('each type', () => {
  test.each(types)(
    '%s: needs its fields, takes its optional ones and no others, and comes back as it was [vault.credential.type.username-password] [vault.credential.type.api-key] [vault.credential.type.oauth-token] [vault.credential.type.certificate] [vault.credential.type.ssh-key] [vault.credential.type.database-connection] [vault.credential.type.identity-credential] [vault.credential.create.missing-field] [vault.credential.create.unknown-field]',
    async (credential_type, required, optional) => {
      const about = { service_id: 'shop', credential_type };
      for (const plaintext_data of [required, { ...required, ...optional }]) {
        const made = await create({ ...about, plaintext_data });
        expect(made).toMatchObject({ status: 201 });
        expect((await decrypt(made.data.id)).data.plaintext_data).toEqual(plaintext_data);
      }
      for (const missing of Object.keys(required)) {
        const { [missing as never]: _, ...rest } = required as Record<string, unknown>;
        const reply = await create({ ...about, plaintext_data: rest });
        expect(reply).toMatchObject(refused(400, 'invalid_request'));
        expect(reply.data.error.message).toContain(missing);
      }
      const unknown = await create({ ...about, plaintext_data: { ...required, surplus: 'v' } });
      expect(unknown).toMatchObject(refused(400, 'invalid_request'));
      expect(unknown.data.error.message).toContain('surplus');
    },
  );
});

describe('creating', () => {
  test('answers metadata and never the plaintext [vault.credential.create] [vault.credential.create.id] [vault.credential.create.optional] [vault.credential.create.fill-mode] [vault.credential.get]', async () => {
    const about = { service_id: 'shop', credential_type: 'api_key' };
    const plain = await create({ ...about, plaintext_data: { key: 'never-shown-key' } });
    expect(plain.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ...about,
      allowed_urls: [],
      fill_mode: 'network',
      created_at: expect.any(String),
      expires_at: null,
      fingerprint: expect.any(String),
      version: 1,
    });
    const more = {
      label: 'Shop',
      expires_at: '2099-01-01T00:00:00.000Z',
      allowed_urls: ['https://shop.example/account/*'],
      fill_mode: 'dom',
      metadata: { team: 'a', nested: { list: [1] } },
    };
    const full = await create({ ...about, plaintext_data: { key: 'never-shown-key' }, ...more });
    expect(full.data).toMatchObject(more);
    const got = await vault.ask('GET', `/api/v1/credentials/${full.data.id}`, { token });
    expect(got).toMatchObject({ status: 200, data: full.data });
    expect(plain.text + full.text + got.text).not.toContain('never-shown');
  });

  test('refuses what it does not know by the name of the field, without its value [vault.credential.create.unknown-type] [vault.credential.create.error-without-value]', async () => {
    const secret = 'do-not-repeat-me';
    const good = { service_id: 's', credential_type: 'api_key', plaintext_data: { key: secret } };
    const wrong: readonly (readonly [string, object])[] = [
      ['credential_type', { ...good, credential_type: 'totp' }],
      ['service_id', { ...good, service_id: undefined }],
      ['fill_mode', { ...good, fill_mode: 'magic' }],
      ['expires_at', { ...good, expires_at: 'tomorrow' }],
      ['sealed_data', { ...good, sealed_data: 'AAAA' }],
      ['plaintext_data', { ...good, plaintext_data: undefined }],
      ['plaintext_data', { ...good, plaintext_data: secret }],
      ['secret', { ...good, plaintext_data: { key: secret, secret: { deep: secret } } }],
      ['surplus', { ...good, surplus: secret }],
    ];
    for (const [field, body] of wrong) {
      const reply = await create(body);
      expect(reply).toMatchObject(refused(400, 'invalid_request'));
      expect(reply.data.error.message).toContain(field);
      expect(reply.text).not.toContain(secret);
    }
  });

  test('a body that is too large is refused before it is read [vault.error.transport]', async () => {
    const reply = await create({ padding: 'x'.repeat(300_000) });
    expect(reply).toMatchObject(refused(413, 'payload_too_large'));
  });

  test('the fingerprint is keyed, and does not tell that two credentials have the same plaintext [vault.credential.fingerprint]', async () => {
    const one = await vault.newCredential(token, { plaintext_data: { key: 'same' } });
    const same = await vault.newCredential(token, { plaintext_data: { key: 'same' } });
    const other = await vault.newCredential(token, { plaintext_data: { key: 'other' } });
    expect(new Set([one, same, other].map(({ fingerprint }) => fingerprint)).size).toBe(3);
    for (const text of ['same', '{"key":"same"}'])
      for (const encoding of ['hex', 'base64'] as const)
        expect(one.fingerprint).not.toContain(createHash('sha256').update(text).digest(encoding));
  });
});

describe('listing and deleting', () => {
  test('filters, pages, and counts [vault.credential.list] [vault.credential.list.filters] [vault.credential.list.limit]', async () => {
    const user = await vault.newUser('lister', '--tenant', 'listing');
    const body = (service_id: string, n: number) => ({ service_id, plaintext_data: { key: `listed-${n}` } });
    for (let n = 0; n < 3; n += 1) await vault.newCredential(user.token, body('a', n));
    await vault.newCredential(user.token, {
      service_id: 'b',
      credential_type: 'ssh_key',
      plaintext_data: { ssh_key: 'listed-ssh' },
    });
    const list = (query = '') => vault.ask('GET', `/api/v1/credentials${query}`, { token: user.token });
    const all = await list();
    expect(all.data).toMatchObject({ total: 4, items: [{ service_id: 'b' }, {}, {}, {}] });
    expect(all.text).not.toContain('listed-');
    expect((await list('?service_id=a')).data.total).toBe(3);
    expect((await list('?credential_type=ssh_key')).data.total).toBe(1);
    const page = (await list('?limit=2&offset=1')).data;
    expect(page).toEqual({ total: 4, items: all.data.items.slice(1, 3) });
    for (const wrong of ['?limit=0', '?limit=201', '?offset=-1', '?limit=x', '?credential_type=totp'])
      expect(await list(wrong)).toMatchObject(refused(400, 'invalid_request'));
  });

  test('what was deleted is gone, with its ciphertext [vault.credential.delete] [vault.error.not-found]', async () => {
    const { id } = await vault.newCredential(token);
    const at = `/api/v1/credentials/${id}`;
    expect(await vault.ask('DELETE', at, { token })).toMatchObject({ status: 200 });
    expect(await vault.ask('GET', at, { token })).toMatchObject(refused(404, 'not_found'));
    expect(await vault.ask('DELETE', at, { token })).toMatchObject(refused(404, 'not_found'));
    expect(await decrypt(id)).toMatchObject(refused(404, 'not_found'));
    expect(await vault.ask('GET', '/api/v1/credentials/none', { token })).toMatchObject(
      refused(404, 'not_found'),
    );
  });
});

describe('decrypting', () => {
  test('needs a reason, and is recorded under the id that it answers, with the agent of the token [vault.credential.decrypt] [vault.credential.decrypt.reason] [vault.credential.decrypt.recorded] [vault.audit.event.credential-access]', async () => {
    const { id } = await vault.newCredential(token, { plaintext_data: { key: 'k', secret: 's' } });
    for (const body of [
      {},
      { reason: '' },
      { reason: 'r'.repeat(501) },
      { reason: 5 },
      { reason: 'r', more: 1 },
    ])
      expect(await decrypt(id, body)).toMatchObject(refused(400, 'invalid_request'));
    const agent = await vault.newToken(token, ['credential:decrypt'], { agent_did: 'did:key:z6MkAgent' });
    const opened = await decrypt(id, { reason: 'pay the invoice' }, agent);
    expect(opened).toMatchObject({ status: 200 });
    expect(opened.data).toEqual({
      id,
      plaintext_data: { key: 'k', secret: 's' },
      audit_id: expect.any(String),
    });
    const { data } = await vault.ask('GET', `/api/v1/audit/logs?credentialId=${id}`, { token });
    expect(data.items).toMatchObject([
      {
        auditId: opened.data.audit_id,
        eventType: 'credential_access',
        credentialId: id,
        agentDid: 'did:key:z6MkAgent',
        detail: { reason: 'pay the invoice' },
      },
      { eventType: 'credential_created', credentialId: id },
    ]);
  });

  test('an expired credential stays shut [vault.credential.decrypt.expired] [vault.error.credential-expired]', async () => {
    const { id } = await vault.newCredential(token, { expires_at: '2020-01-01T00:00:00Z' });
    expect(await decrypt(id)).toMatchObject(refused(422, 'credential_expired'));
    expect(await vault.ask('GET', `/api/v1/credentials/${id}`, { token })).toMatchObject({ status: 200 });
  });

  test('a row that was copied to another credential, tenant, service or type does not open [vault.keys.row-moved]', async () => {
    const stranger = await vault.newUser('mover', '--tenant', 'moved');
    const from = await vault.newCredential(token, { plaintext_data: { key: 'moved' } });
    const to = await vault.newCredential(stranger.token);
    const database = new Client({ connectionString: String(vault.card.databaseUrl) });
    await database.connect();
    await database.query(
      `update vault.credential t set root = f.root, salt = f.salt, nonce = f.nonce, ciphertext = f.ciphertext
       from vault.credential f where t.id = $1 and f.id = $2`,
      [to.id, from.id],
    );
    const failed = await decrypt(to.id, { reason: 'test' }, stranger.token);
    expect(failed).toMatchObject({
      status: 500,
      data: { error: { code: 'internal_error', message: 'system error' } },
    });
    for (const change of ["service_id = 'other'", "type = 'ssh_key'", 'version = 2', "tenant_id = 'moved'"]) {
      const { id } = await vault.newCredential(token);
      await database.query(`update vault.credential set ${change} where id = $1`, [id]);
      const bearer = change.startsWith('tenant') ? stranger.token : token;
      expect(await decrypt(id, { reason: 'test' }, bearer)).toMatchObject({ status: 500 });
    }
    await database.end();
  });
});

describe('tenants', () => {
  test('see nothing of each other [vault.credential.tenant-isolation] [vault.audit.query.own-tenant]', async () => {
    const [a, b] = [
      await vault.newUser('ann', '--tenant', 'a'),
      await vault.newUser('ben', '--tenant', 'b', '--admin'),
    ];
    const { id } = await vault.newCredential(a.token);
    const { audit_id } = (await decrypt(id, { reason: 'test' }, a.token)).data;
    const { data: theirs } = await vault.ask('POST', '/api/v1/tokens', {
      token: a.token,
      body: { name: 'n', scopes: ['audit:read'], expires_in: 60 },
    });
    const calls: readonly (readonly [string, string, unknown?])[] = [
      ['GET', `/api/v1/credentials/${id}`],
      ['DELETE', `/api/v1/credentials/${id}`],
      ['POST', `/api/v1/credentials/${id}/decrypt`, { reason: 'test' }],
      ['POST', `/api/v1/audit/logs/${audit_id}/verify`],
      ['GET', `/api/v1/audit/logs/${audit_id}/proof`],
      ['POST', `/api/v1/tokens/${theirs.id}/revoke`],
    ];
    for (const [method, path, body] of calls)
      expect(await vault.ask(method, path, { token: b.token, body })).toMatchObject(
        refused(404, 'not_found'),
      );
    for (const path of ['/api/v1/credentials', '/api/v1/tokens', '/api/v1/audit/logs'])
      expect((await vault.ask('GET', path, { token: b.token })).data).toMatchObject({ items: [], total: 0 });
    const verified = await vault.ask('POST', '/api/v1/tokens/verify', {
      token: b.token,
      body: { token: theirs.token },
    });
    expect(verified.data).toEqual({ valid: false, reason: 'malformed' });
    expect((await vault.ask('GET', '/api/v1/audit/export', { token: b.token })).text).not.toContain(id);
    expect(await decrypt(id, { reason: 'test' }, a.token)).toMatchObject({ status: 200 });
  });

  test('that ask at one time get each its own, and a token nothing once its revocation was answered [vault.credential.tenant-isolation] [vault.error.token-revoked]', async () => {
    const people = [await vault.newUser('una', '--tenant', 'u'), await vault.newUser('vic', '--tenant', 'v')];
    const own = await Promise.all(
      people.map(async ({ username, token }) => ({
        token,
        limited: await vault.newToken(token, ['credential:decrypt']),
        key: `key of ${username}`,
        id: (await vault.newCredential(token, { plaintext_data: { key: `key of ${username}` } }))
          .id as string,
      })),
    );
    const decryptAll = () =>
      Promise.all(
        own.flatMap(({ token, limited, key, id }) =>
          [token, limited].flatMap((bearer) =>
            [...own.map((other) => other.id), randomUUID()].map(async (wanted) => {
              const reply = await decrypt(wanted, { reason: 'test' }, bearer);
              expect(reply).toMatchObject(
                wanted === id
                  ? { status: 200, data: { plaintext_data: { key } } }
                  : refused(404, 'not_found'),
              );
            }),
          ),
        ),
      );
    for (let round = 0; round < 10; round += 1) await decryptAll();

    const [{ limited, id, token } = { limited: '', id: '', token: '' }] = own;
    const verified = await vault.ask('POST', '/api/v1/tokens/verify', { token, body: { token: limited } });
    const revoke = `/api/v1/tokens/${verified.data.id}/revoke`;
    const using = Promise.all(Array.from({ length: 20 }, () => decrypt(id, { reason: 'test' }, limited)));
    expect(await vault.ask('POST', revoke, { token })).toMatchObject({ status: 200 });
    const after = Array.from({ length: 20 }, () => decrypt(id, { reason: 'test' }, limited));
    for (const reply of await Promise.all(after)) expect(reply).toMatchObject(refused(401, 'token_revoked'));
    for (const { status } of await using) expect([200, 401]).toContain(status);
  });
});

describe('a new value', () => {
  const put = (id: string, body: object, bearer = token) =>
    vault.ask('PUT', `/api/v1/credentials/${id}/value`, { token: bearer, body });

  test('takes the place of the old one, in the clear or sealed, and is recorded [vault.credential.put-value]', async () => {
    const about = { service_id: 'shop', credential_type: 'api_key' };
    const made = (await create({ ...about, plaintext_data: { key: 'first' } })).data;
    const second = await put(made.id, { plaintext_data: { key: 'second' } });
    expect(second).toMatchObject({ status: 200, data: { ...about, id: made.id, version: 2 } });
    expect(second.data.fingerprint).not.toBe(made.fingerprint);
    expect((await decrypt(made.id)).data.plaintext_data).toEqual({ key: 'second' });
    const { sealPublicKey } = (await vault.ask('GET', '/api/v1/attestation/report')).data;
    const sealed_data = await sealFor(sealPublicKey, JSON.stringify({ key: 'third' }));
    expect(await put(made.id, { sealed_data })).toMatchObject({ data: { version: 3 } });
    expect((await decrypt(made.id)).data.plaintext_data).toEqual({ key: 'third' });
    const path = `/api/v1/audit/logs?credentialId=${made.id}`;
    const records = (await vault.ask('GET', path, { token })).data.items;
    const updated = records.filter((one: { eventType: string }) => one.eventType === 'credential_updated');
    expect(updated).toMatchObject([
      { detail: { version: 3 } },
      { detail: { version: 2, before: made.fingerprint } },
    ]);
  });

  test('fits the type, and needs credential:write and a credential that is there [vault.credential.put-value]', async () => {
    const about = { service_id: 'shop', credential_type: 'api_key', plaintext_data: { key: 'kept' } };
    const { id } = (await create(about)).data;
    for (const wrong of [
      {},
      { plaintext_data: { password: 'p' } },
      { plaintext_data: { key: 'x' }, sealed_data: 'eA==' },
    ])
      expect(await put(id, wrong)).toMatchObject(refused(400, 'invalid_request'));
    expect(await put(randomUUID(), { plaintext_data: { key: 'x' } })).toMatchObject(
      refused(404, 'not_found'),
    );
    const body = { name: 'reads', scopes: ['credential:read'], expires_in: 60 };
    const reads = (await vault.ask('POST', '/api/v1/tokens', { token, body })).data.token;
    expect(await put(id, { plaintext_data: { key: 'x' } }, reads)).toMatchObject(
      refused(403, 'insufficient_scope'),
    );
    expect((await decrypt(id)).data.plaintext_data).toEqual({ key: 'kept' });
  });

  test('twenty at once are twenty versions, and the newest is whole [vault.credential.put-value]', async () => {
    const about = { service_id: 'shop', credential_type: 'api_key', plaintext_data: { key: 'k1' } };
    const { id } = (await create(about)).data;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, each) => put(id, { plaintext_data: { key: `at-once-${each}` } })),
    );
    const versions = answers.map(({ data }) => data.version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, each) => each + 2));
    const last = versions.indexOf(21);
    expect((await decrypt(id)).data.plaintext_data).toEqual({ key: `at-once-${last}` });
  });
});

describe('the sealed path', () => {
  test('goes in and out under keys that the API process does not have [vault.sealed.create] [vault.sealed.suite] [vault.sealed.decrypt]', async () => {
    const { sealPublicKey } = (await vault.ask('GET', '/api/v1/attestation/report')).data;
    const sealed_data = await sealFor(sealPublicKey, JSON.stringify({ key: 'sealed-key' }));
    const about = { service_id: 'shop', credential_type: 'api_key' };
    const made = await create({ ...about, sealed_data });
    expect(made).toMatchObject({ status: 201 });
    expect((await decrypt(made.data.id)).data.plaintext_data).toEqual({ key: 'sealed-key' });

    const recipient = await newRecipient();
    const opened = await decrypt(made.data.id, {
      reason: 'test',
      recipient_public_key: recipient.publicKey,
    });
    expect(opened).toMatchObject({ status: 200 });
    expect(Object.keys(opened.data).sort()).toEqual(['audit_id', 'id', 'sealed_data']);
    expect(await openSealed(recipient, opened.data.sealed_data)).toBe('{"key":"sealed-key"}');
  });

  test('what is sealed to another key, or to nothing, is refused by its name', async () => {
    const about = { service_id: 'shop', credential_type: 'api_key' };
    const reply = await create({ ...about, sealed_data: Buffer.alloc(120, 4).toString('base64') });
    expect(reply).toMatchObject(refused(400, 'invalid_request'));
    expect(reply.data.error.message).toContain('sealed_data');
    const { id } = await vault.newCredential(token);
    const wrongKey = { reason: 'test', recipient_public_key: Buffer.alloc(65, 4).toString('base64') };
    const refusedKey = await decrypt(id, wrongKey);
    expect(refusedKey).toMatchObject(refused(400, 'invalid_request'));
    expect(refusedKey.data.error.message).toContain('recipient_public_key');
  });
});
