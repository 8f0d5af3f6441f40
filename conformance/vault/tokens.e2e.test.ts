import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refused, startVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
beforeAll(async () => {
  vault = await startVault();
  token = await vault.tokenOf(vault.admin);
});
afterAll(() => vault?.stop());

const list = (bearer: string) => vault.ask('GET', '/api/v1/credentials', { token: bearer });

describe('users', () => {
  test('a user made on the command line logs in, and the password is kept as Argon2id [vault.user.create] [vault.user.password-hash] [vault.login.tokens]', async () => {
    const made = vault.run(['vault', 'create-user', 'alice', '--tenant', 'acme'], 'a good password\n');
    expect(made).toMatchObject({ status: 0, stdout: 'created alice of tenant acme\n' });
    const reply = await vault.login('alice', 'a good password');
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.data).toEqual({
      access_token: expect.stringMatching(/^v4\.local\./),
      refresh_token: expect.stringMatching(/^v4\.local\./),
      token_type: 'Bearer',
      expires_in: 900,
    });
    const database = new Client({ connectionString: String(vault.card.databaseUrl) });
    await database.connect();
    const { rows } = await database.query('select password_hash from vault.account where name = $1', [
      'alice',
    ]);
    await database.end();
    expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=65536,/) }]);
  });

  test('a name that hides a character or turns the reading order is refused; one in any script is kept [vault.names.legible]', async () => {
    const names = ['trav\u202ele', 'pay\u200bpal'];
    const kept = 'علی\u200cرضا';
    for (const name of names) {
      const made = vault.run(['vault', 'create-user', name], 'a good password\n');
      expect(made).toMatchObject({ status: 2, stderr: expect.stringContaining('none of them invisible') });
    }
    expect(vault.run(['vault', 'create-user', kept], 'a good password\n').status).toBe(0);
    const sealed = { credential_type: 'api_key', plaintext_data: { key: 'k' } };
    const bodies: [string, (name: string) => object][] = [
      ['/api/v1/credentials', (service_id) => ({ ...sealed, service_id })],
      ['/api/v1/credentials', (label) => ({ ...sealed, service_id: 'mail', label })],
      ['/api/v1/tokens', (name) => ({ name, scopes: ['credential:use'] })],
    ];
    for (const [path, body] of bodies) {
      for (const name of names) {
        const reply = await vault.ask('POST', path, { token, body: body(name) });
        expect(reply).toMatchObject({ status: 400 });
        expect(JSON.stringify(reply.data)).toMatch(/must not contain invisible characters.*: U\+20(2E|0B)/);
      }
      expect((await vault.ask('POST', path, { token, body: body(kept) })).status).toBe(201);
    }
  });

  test('a name that is taken, a short password and a wrong option are told in one line', () => {
    const again = vault.run(['vault', 'create-user', vault.admin.username], 'another password\n');
    expect(again).toMatchObject({
      status: 1,
      stderr: 'vault create-user: a user named admin already exists\n',
    });
    const short = vault.run(['vault', 'create-user', 'bert'], 'short\n');
    expect(short).toMatchObject({ status: 1, stderr: expect.stringContaining('8 to 1024 characters') });
    expect(vault.run(['vault', 'create-user', 'bert', '--root'])).toMatchObject({ status: 2 });
    for (const command of [['vault'], ['vault', 'create-user'], ['vault', 'rotate-root']])
      expect(vault.run([...command, '--help'])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('Examples:'),
      });
  });

  test('a wrong password and an unknown user get the same answer; after five failures from one address 429 says how long to wait [vault.login.wrong-password] [vault.login.rate-limit.user] [vault.error.shape]', async () => {
    const wrong = await vault.login(vault.admin.username, 'wrong');
    expect(wrong).toMatchObject(refused(401, 'unauthorized'));
    expect((await vault.login('nobody', 'wrong')).data).toEqual(wrong.data);
    for (let i = 0; i < 4; i += 1)
      expect(await vault.login('nobody', 'wrong')).toMatchObject(refused(401, 'unauthorized'));
    const blocked = await vault.login('nobody', 'wrong');
    expect(blocked).toMatchObject(refused(429, 'rate_limited'));
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await vault.login(vault.admin.username, vault.admin.password)).toMatchObject({ status: 200 });
  });
});

describe('refresh and logout', () => {
  const refresh = (refresh_token: string) =>
    vault.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token } });

  test('a refresh token is spent by its use; used again, it ends the whole login [vault.refresh.rotates] [vault.refresh.reuse]', async () => {
    const first = (await vault.login(vault.admin.username, vault.admin.password)).data;
    const second = await refresh(first.refresh_token);
    expect(second).toMatchObject({ status: 200, data: { token_type: 'Bearer', expires_in: 900 } });
    expect(await list(second.data.access_token)).toMatchObject({ status: 200 });

    expect(await refresh(first.refresh_token)).toMatchObject(refused(401, 'token_revoked'));
    expect(await refresh(second.data.refresh_token)).toMatchObject(refused(401, 'token_revoked'));
    expect(await list(second.data.access_token)).toMatchObject(refused(401, 'token_revoked'));
  });

  test('of two uses at once one is refused, and the login is over', async () => {
    const { refresh_token } = (await vault.login(vault.admin.username, vault.admin.password)).data;
    const replies = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(1);
    const next = replies.find(({ status }) => status === 200)?.data.refresh_token;
    expect(await refresh(next)).toMatchObject(refused(401, 'token_revoked'));
  });

  test('logout ends the token and its login at once [vault.logout] [vault.error.token-revoked]', async () => {
    const { access_token, refresh_token } = (await vault.login(vault.admin.username, vault.admin.password))
      .data;
    expect(await vault.ask('POST', '/api/v1/auth/logout', { token: access_token })).toMatchObject({
      status: 200,
    });
    expect(await list(access_token)).toMatchObject(refused(401, 'token_revoked'));
    expect(await refresh(refresh_token)).toMatchObject(refused(401, 'token_revoked'));
  });

  test('an access token refreshes nothing, and a refresh token opens nothing [vault.error.unauthorized]', async () => {
    const { access_token, refresh_token } = (await vault.login(vault.admin.username, vault.admin.password))
      .data;
    expect(await refresh(access_token)).toMatchObject(refused(401, 'unauthorized'));
    expect(await list(refresh_token)).toMatchObject(refused(401, 'unauthorized'));
    const others = ['', 'x', 'v4.local.', `${access_token}A`, `${access_token}=`, access_token.slice(0, -1)];
    for (const other of others) expect(await list(other)).toMatchObject(refused(401, 'unauthorized'));
    expect(await vault.ask('GET', '/api/v1/credentials')).toMatchObject(refused(401, 'unauthorized'));
  });
});

describe('generated tokens', () => {
  test('are shown once, listed without their text, verified and revoked [vault.token.form] [vault.token.generate] [vault.token.shown-once] [vault.token.verify.valid] [vault.token.verify.invalid] [vault.token.revoke]', async () => {
    const body = { name: 'agent', scopes: ['credential:read'], expires_in: 60, agent_did: 'did:key:z6Mk' };
    const made = await vault.ask('POST', '/api/v1/tokens', { token, body });
    expect(made).toMatchObject({ status: 201 });
    const { id, token: text, created_at, expires_at } = made.data;
    expect(made.data).toMatchObject({
      token: expect.stringMatching(/^v4\.local\./),
      name: 'agent',
      scopes: body.scopes,
    });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000);

    const listed = await vault.ask('GET', '/api/v1/tokens', { token });
    expect(listed.data.items[0]).toMatchObject({
      id,
      name: 'agent',
      agent_did: 'did:key:z6Mk',
      revoked_at: null,
    });
    expect(listed.text).not.toContain('v4.local');

    const verify = (of: string) => vault.ask('POST', '/api/v1/tokens/verify', { token, body: { token: of } });
    expect(await verify(text)).toMatchObject({
      status: 200,
      data: { valid: true, id, scopes: ['credential:read'], expires_at },
    });
    expect(await verify('v4.local.xx')).toMatchObject({
      status: 200,
      data: { valid: false, reason: 'malformed' },
    });
    expect(await list(text)).toMatchObject({ status: 200 });
    expect(await vault.ask('POST', `/api/v1/tokens/${id}/revoke`, { token })).toMatchObject({ status: 200 });
    expect(await list(text)).toMatchObject(refused(401, 'token_revoked'));
    expect((await verify(text)).data).toEqual({ valid: false, reason: 'revoked' });
    for (const other of ['none', crypto.randomUUID()])
      expect(await vault.ask('POST', `/api/v1/tokens/${other}/revoke`, { token })).toMatchObject(
        refused(404, 'not_found'),
      );
  });

  test('live from a minute to a year [vault.token.generate.expires-in] [vault.error.invalid-request]', async () => {
    const make = (expires_in: unknown) =>
      vault.ask('POST', '/api/v1/tokens', { token, body: { name: 'n', scopes: ['admin'], expires_in } });
    for (const wrong of [59, 31_536_001, 60.5, '60', null])
      expect(await make(wrong)).toMatchObject(refused(400, 'invalid_request'));
    for (const right of [60, 31_536_000]) expect(await make(right)).toMatchObject({ status: 201 });
    const { created_at, expires_at } = (await make(undefined)).data;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000);
  });

  test('never outlive their maker, and a chain of them ends with its first [vault.token.generate.parent-ends] [vault.token.revoke.descendants]', async () => {
    const make = (by: string, expires_in?: number) =>
      vault.ask('POST', '/api/v1/tokens', {
        token: by,
        body: { name: 'n', scopes: ['admin'], ...(expires_in !== undefined && { expires_in }) },
      });
    const first = (await make(token, 600)).data;
    for (const longer of [602, 86_400, 31_536_000])
      expect(await make(first.token, longer)).toMatchObject({
        status: 400,
        data: {
          error: {
            code: 'invalid_request',
            message: expect.stringMatching(/^expires_in: .* at most (59\d|600) s /),
          },
        },
      });
    // Not said, it ends with its maker; so does what it makes in its turn.
    const second = (await make(first.token)).data;
    const third = (await make(second.token)).data;
    expect([second.expires_at, third.expires_at]).toEqual([first.expires_at, first.expires_at]);
    expect(await make(third.token, 60)).toMatchObject({ status: 201 });
    const short = (await make(first.token, 60)).data;
    expect(await make(short.token, 61)).toMatchObject(refused(400, 'invalid_request'));

    // While it makes more and more, the first is revoked: none of them is left.
    const born = Promise.all(
      Array.from({ length: 40 }, (_, i) => make(i % 2 === 0 ? first.token : third.token)),
    );
    expect(await vault.ask('POST', `/api/v1/tokens/${first.id}/revoke`, { token })).toMatchObject({
      status: 200,
    });
    const made = (await born).filter(({ status }) => status === 201).map(({ data }) => data.token as string);
    for (const each of [first.token, second.token, third.token, short.token, ...made])
      expect(await list(each)).toMatchObject(refused(401, 'token_revoked'));
    expect(await make(third.token)).toMatchObject(refused(401, 'token_revoked'));
  });

  test('see and end themselves and what they made, of others of their user nothing [vault.token.generate.own-tokens]', async () => {
    const mine = await vault.newUser('tessa');
    const body = { name: 'n', scopes: ['credential:use'] };
    const make = async (by: string) => (await vault.ask('POST', '/api/v1/tokens', { token: by, body })).data;
    const [one, other] = [await make(mine.token), await make(mine.token)];
    const child = await make(one.token);
    const seen = async (by: string) =>
      (await vault.ask('GET', '/api/v1/tokens', { token: by })).data.items.map(({ id }: Json) => id);
    expect(await seen(one.token)).toEqual([child.id, one.id]);
    expect(await seen(child.token)).toEqual([child.id]);
    expect(await seen(mine.token)).toEqual([child.id, other.id, one.id]);
    const revoke = (id: string, by: string) =>
      vault.ask('POST', `/api/v1/tokens/${id}/revoke`, { token: by });
    expect(await revoke(other.id, one.token)).toMatchObject(refused(404, 'not_found'));
    expect(await revoke(one.id, child.token)).toMatchObject(refused(404, 'not_found'));
    expect(await revoke(child.id, one.token)).toMatchObject({ status: 200 });
    expect(await list(child.token)).toMatchObject(refused(401, 'token_revoked'));
    expect(await list(other.token)).toMatchObject({ status: 200 });
    expect(await revoke(other.id, mine.token)).toMatchObject({ status: 200 });
  });

  test('with every scope are no log-in: they go on by no refresh', async () => {
    const mighty = await vault.newToken(await vault.newToken(token, ['admin']), ['admin'], {
      expires_in: 600,
    });
    const refresh = { body: { refresh_token: mighty } };
    expect(await vault.ask('POST', '/api/v1/auth/refresh', refresh)).toMatchObject(
      refused(401, 'unauthorized'),
    );
  });

  test('never have more than their maker, and end with it [vault.token.generate.own-scopes-only]', async () => {
    const credential = await vault.newCredential(token);
    const parent = await vault.newToken(token, ['credential:use', 'audit:read'], {
      credential_ids: [credential.id],
      agent_did: 'did:key:z6Mk',
    });
    const make = (more: object) =>
      vault.ask('POST', '/api/v1/tokens', {
        token: parent,
        body: { name: 'n', scopes: ['credential:read'], expires_in: 60, ...more },
      });
    for (const more of [
      { scopes: ['admin'] },
      { scopes: ['credential:decrypt'] },
      { scopes: ['credential:read', 'credential:write'] },
      { credential_ids: [crypto.randomUUID()] },
      { agent_did: 'did:key:other' },
    ])
      expect(await make(more)).toMatchObject(refused(403, 'insufficient_scope'));
    const child = await make({});
    expect(child).toMatchObject({
      status: 201,
      data: { credential_ids: [credential.id], agent_did: 'did:key:z6Mk' },
    });
    await vault.ask('POST', '/api/v1/auth/logout', { token: parent });
    expect(await list(child.data.token)).toMatchObject(refused(401, 'token_revoked'));
  });

  test('with credential_ids reach those credentials only [vault.token.generate.credential-ids]', async () => {
    const [mine, other] = [await vault.newCredential(token), await vault.newCredential(token)];
    const limited = await vault.newToken(token, ['admin'], { credential_ids: [mine.id] });
    expect((await list(limited)).data).toMatchObject({ items: [{ id: mine.id }], total: 1 });
    const at = (id: string) => `/api/v1/credentials/${id}`;
    expect(await vault.ask('GET', at(mine.id), { token: limited })).toMatchObject({ status: 200 });
    expect(await vault.ask('GET', at(other.id), { token: limited })).toMatchObject(refused(404, 'not_found'));
    expect(await vault.ask('DELETE', at(other.id), { token: limited })).toMatchObject(
      refused(404, 'not_found'),
    );
    const decrypt = { token: limited, body: { reason: 'test' } };
    expect(await vault.ask('POST', `${at(other.id)}/decrypt`, decrypt)).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await vault.ask('POST', `${at(mine.id)}/decrypt`, decrypt)).toMatchObject({ status: 200 });
  });
});

describe('credential:send', () => {
  test('is given by people and admins alone, and is in no token that only uses credentials [vault.scope.credential-send]', async () => {
    const credential = await vault.newCredential(token);
    const make = (bearer: string, scopes: readonly string[]) =>
      vault.ask('POST', '/api/v1/tokens', { token: bearer, body: { name: 'n', scopes, expires_in: 60 } });
    const uses = await vault.newToken(token, ['credential:use', 'credential:write', 'credential:decrypt']);
    const sends = await vault.newToken(token, ['credential:send']);
    const admin = await vault.newToken(token, ['admin']);
    for (const bearer of [uses, sends])
      expect(await make(bearer, ['credential:send'])).toMatchObject(refused(403, 'insufficient_scope'));
    expect(await make(admin, ['credential:send'])).toMatchObject({ status: 201 });
    const body = {
      method: 'POST',
      url: 'https://shop.example/',
      credential_headers: { authorization: '{{CREDENTIAL.key}}' },
      timeout_ms: 1000,
    };
    const send = (bearer: string) =>
      vault.ask('POST', `/api/v1/credentials/${credential.id}/requests`, { token: bearer, body });
    expect(await send(uses)).toMatchObject(refused(403, 'insufficient_scope'));
    // Control: what may send is refused for what it says, not for its scope.
    expect((await send(sends)).status).not.toBe(403);
  });
});

describe('scopes', () => {
  /** What each scope lets through: reading, using, writing, decrypting, the log, requests. */
  const table = [
    ['credential:read', [true, false, false, false, false, false]],
    ['credential:use', [true, true, false, false, false, false]],
    ['credential:send', [false, false, false, false, false, true]],
    ['credential:write', [false, false, true, false, false, false]],
    ['credential:decrypt', [true, true, false, true, false, false]],
    ['audit:read', [false, false, false, false, true, false]],
    ['admin', [true, true, true, true, true, true]],
  ] as const;

  test.each(table)(
    '%s grants what it says and nothing else [vault.scope.credential-read] [vault.scope.credential-use] [vault.scope.credential-send] [vault.scope.credential-write] [vault.scope.credential-decrypt] [vault.scope.audit-read] [vault.scope.admin] [vault.error.insufficient-scope]',
    async (scope, [reads, uses, writes, decrypts, audits, sends]) => {
      const { id } = await vault.newCredential(token);
      const bearer = await vault.newToken(token, [scope]);
      const at = `/api/v1/credentials/${id}`;
      const session = `/api/v1/sandbox/sessions/${crypto.randomUUID()}`;
      const newOne = { service_id: 's', credential_type: 'ssh_key', plaintext_data: { ssh_key: 'k' } };
      const calls: readonly (readonly [boolean, string, string, unknown?])[] = [
        [reads, 'GET', '/api/v1/credentials'],
        [reads, 'GET', at],
        [decrypts, 'POST', `${at}/decrypt`, { reason: 'test' }],
        [sends, 'POST', `${at}/requests`, {}],
        [reads, 'GET', '/api/v1/sandbox/sessions'],
        [uses, 'POST', '/api/v1/sandbox/sessions', {}],
        [uses, 'POST', `${session}/execute`, { operation_type: 'click', selector: 'a' }],
        [uses, 'POST', `${session}/screenshot`, {}],
        [uses, 'POST', `${session}/export`, { format: 'text' }],
        [uses, 'POST', `${session}/pause`],
        [uses, 'POST', `${session}/resume`],
        [uses, 'DELETE', session],
        [writes, 'POST', '/api/v1/credentials', newOne],
        [writes, 'DELETE', at],
        [audits, 'GET', '/api/v1/audit/logs'],
        [audits, 'GET', '/api/v1/audit/checkpoint'],
        [audits, 'GET', '/api/v1/audit/export'],
        [audits, 'POST', '/api/v1/audit/logs/none/verify'],
      ];
      for (const [allowed, method, path, body] of calls) {
        const reply = await vault.ask(method, path, { token: bearer, body });
        const isRefused = reply.status === 403 && reply.data.error.code === 'insufficient_scope';
        expect({ method, path, allowed: !isRefused }).toEqual({ method, path, allowed });
      }
    },
  );
});
