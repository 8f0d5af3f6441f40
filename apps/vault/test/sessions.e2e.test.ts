import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSandbox, refused, type Sandbox, state } from './browser-sessions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox?.stop());
beforeEach(() => {
  sandbox.enclave.script['session.open'] = () => ({ reply: { session: state(), auditId: 'a-1' } });
});

const create = (body: object, token?: string) =>
  sandbox.ask('POST', '/sandbox/sessions', {
    body: { credential_ids: [], task: 'Log in', allowed_urls: ['https://shop.example'], ...body },
    ...(token !== undefined && { token }),
  });
const get = (id: string, token?: string) =>
  sandbox.ask('GET', `/sandbox/sessions/${id}`, token === undefined ? {} : { token });
const opened = () => sandbox.enclave.asked('session.open').at(-1);

test('a session has all its fields, and the enclave is told what it may do [vault.sandbox.create] [vault.sandbox.create.optional] [vault.sandbox.session.fields]', async () => {
  const credential = await sandbox.newCredential({ allowed_urls: ['https://shop.example/account/*'] });
  const { status, data } = await create({
    credential_ids: [credential.toUpperCase()],
    task: '  Log in and read the orders ',
    allowed_urls: ['HTTPS://Shop.Example:443/', 'https://*.cdn.example'],
    start_url: 'https://shop.example/login',
    agent_did: 'did:key:z6Mk',
    ttl_seconds: 60,
    approval: 'human',
  });
  const allowed_urls = ['https://shop.example', 'https://*.cdn.example'];
  expect({ status, data }).toEqual({
    status: 201,
    data: {
      id: expect.any(String),
      status: 'active',
      task: 'Log in and read the orders',
      allowed_urls,
      credential_ids: [credential],
      agent_did: 'did:key:z6Mk',
      opened_by: 'user:alice',
      approval: 'human',
      created_at: sandbox.vault.now().toISOString(),
      expires_at: new Date(sandbox.vault.now().getTime() + 60_000).toISOString(),
      current_url: null,
      isolation: state().isolation,
      pending_approvals: [],
    },
  });
  expect(opened()).toEqual({
    tenantId: 'acme',
    sessionId: data.id,
    actor: 'user:alice',
    agentDid: 'did:key:z6Mk',
    task: data.task,
    allowedUrls: allowed_urls,
    approval: 'human',
    credentials: [
      {
        credentialId: credential,
        type: 'username_password',
        allowedUrls: ['https://shop.example/account/*'],
        fillMode: 'network',
      },
    ],
    maskWith: expect.any(Array),
    isExpected: true,
    startUrl: 'https://shop.example/login',
    expiresAt: Date.parse(data.expires_at),
  });
  const plain = (await create({})).data;
  expect(plain).toMatchObject({ agent_did: null, approval: 'auto' });
  expect(Date.parse(plain.expires_at) - Date.parse(plain.created_at)).toBe(900_000);
});

test('the masker is told of every credential that may be used on sites of the scope, of what machines made, and of no other [vault.sandbox.masking.all-usable] [vault.sandbox.masking.whole-site]', async () => {
  const key = { credential_type: 'api_key', plaintext_data: { key: 'key-of-a-machine' } };
  const named = await sandbox.newCredential({ allowed_urls: ['https://mask.example'] });
  const usable = [
    await sandbox.newCredential({
      allowed_urls: ['https://mask.example/account/*', 'https://other.example'],
    }),
    await sandbox.newCredential({ allowed_urls: ['https://*.mask.example'] }),
    // Any page of a site may show what is used on another one.
    await sandbox.newCredential({ allowed_urls: ['https://www.mask.example/login/*'] }),
    await sandbox.newCredential({ ...key, allowed_urls: ['https://api.mask.example'] }),
    await sandbox.newCredential(key),
  ];
  // It may be used nowhere until somebody has agreed, so that no page shows it.
  const unbound = await sandbox.newCredential({});
  const elsewhere = await sandbox.newCredential({ allowed_urls: ['https://mask.example:8443'] });
  const scope = { allowed_urls: ['https://mask.example', 'https://www.mask.example/x/*'] };
  for (const credential_ids of [[], [named]]) {
    expect((await create({ ...scope, credential_ids })).status).toBe(201);
    const masked = opened()?.maskWith.map(({ binding }) => binding.credentialId) ?? [];
    expect(masked).toEqual(expect.arrayContaining([named, ...usable]));
    expect([elsewhere, unbound].filter((id) => masked.includes(id))).toEqual([]);
    expect(new Set(masked).size).toBe(masked.length);
    expect(opened()?.maskWith.every(({ binding }) => binding.tenantId === 'acme')).toBe(true);
  }
});

test('what can lead to nothing is refused before a browser is started [vault.sandbox.allowed-urls.form] [vault.sandbox.create.checked]', async () => {
  const before = sandbox.enclave.asked('session.open').length;
  const elsewhere = await sandbox.newCredential({ allowed_urls: ['https://bank.example/*'] });
  const short = await sandbox.newCredential({
    expires_at: new Date(sandbox.vault.now().getTime() + 1000).toISOString(),
  });
  const wrong: readonly (readonly [object, object])[] = [
    [{ allowed_urls: ['shop.example'] }, /^allowed_urls\.0: must be an http/],
    [{ allowed_urls: [] }, /^allowed_urls: /],
    [{ start_url: 'https://evil.example/' }, /^start_url: must be within allowed_urls/],
    [{ start_url: 'https://shop.example@evil.example/' }, /^start_url: /],
    [
      { credential_ids: [elsewhere] },
      /cannot be used anywhere within them; it is for https:\/\/bank\.example$/,
    ],
    [{ task: ' ' }, /^task: /],
    [{ ttl_seconds: 5 }, /^ttl_seconds: /],
    [{ approval: 'always' }, /^approval: /],
    [{ unknown: 1 }, /unknown/],
  ];
  for (const [body, message] of wrong)
    expect(await create(body)).toMatchObject(
      refused(400, 'invalid_request', expect.stringMatching(message as RegExp)),
    );
  expect(await create({ credential_ids: [crypto.randomUUID()] })).toMatchObject(refused(404, 'not_found'));
  expect(await create({ credential_ids: [short] })).toMatchObject({ status: 201 });
  sandbox.vault.advance(1);
  expect(await create({ credential_ids: [short] })).toMatchObject(refused(422, 'credential_expired'));
  expect(sandbox.enclave.asked('session.open')).toHaveLength(before + 1);
});

test('a credential says where it may be used in the form of allowed_urls [vault.credential.create.allowed-urls]', async () => {
  const id = await sandbox.newCredential({ allowed_urls: ['HTTPS://Shop.Example/*'] });
  expect((await sandbox.ask('GET', `/credentials/${id}`)).data.allowed_urls).toEqual([
    'https://shop.example',
  ]);
  const body = {
    service_id: 's',
    credential_type: 'api_key',
    plaintext_data: { key: 'k' },
    allowed_urls: ['shop.example'],
  };
  expect(await sandbox.ask('POST', '/credentials', { body })).toMatchObject(
    refused(
      400,
      'invalid_request',
      expect.stringMatching(/^allowed_urls\.0: must be an http or https origin/),
    ),
  );
});

test('a session that could not be opened leaves nothing, and says why [vault.sandbox.create.unavailable]', async () => {
  const { total } = (await sandbox.ask('GET', '/sandbox/sessions')).data;
  sandbox.enclave.script['session.open'] = () => ({
    refusal: { code: 'SANDBOX_UNAVAILABLE', field: 'too_many' },
  });
  const full = await create({});
  expect(full).toMatchObject(refused(429, 'rate_limited', expect.stringContaining('close one')));
  expect(full.headers.get('retry-after')).toBe('10');
  sandbox.enclave.script['session.open'] = () => ({ refusal: { code: 'SANDBOX_UNAVAILABLE' } });
  expect(await create({})).toMatchObject(
    refused(500, 'internal_error', expect.stringContaining('SANDBOX_ISOLATION')),
  );
  sandbox.enclave.script['session.open'] = () => ({ refusal: { code: 'AUDIT_UNAVAILABLE' } });
  expect(await create({})).toMatchObject(refused(500, 'internal_error', 'system error'));
  expect((await sandbox.ask('GET', '/sandbox/sessions')).data.total).toBe(total);
});

test('what open sessions cannot be told of is not written [vault.sandbox.masking.known-meanwhile]', async () => {
  const id = await sandbox.newCredential();
  const credentials = async () => (await sandbox.ask('GET', '/credentials')).data;
  const before = await credentials();
  const value = { plaintext_data: { username: 'u', password: 'another' } };
  const writes = [
    ['POST', '/credentials', { service_id: 'shop', credential_type: 'username_password', ...value }],
    ['PUT', `/credentials/${id}/value`, value],
    ['PATCH', `/credentials/${id}`, { allowed_urls: ['https://shop.example'] }],
  ] as const;
  sandbox.enclave.script['session.mask'] = () => ({ refusal: { code: 'AUDIT_UNAVAILABLE' } });
  for (const [method, path, body] of writes)
    expect(await sandbox.ask(method, path, { body })).toMatchObject(refused(500, 'internal_error'));
  expect(await credentials()).toEqual(before);
  delete sandbox.enclave.script['session.mask'];
  for (const [method, path, body] of writes)
    expect((await sandbox.ask(method, path, { body })).status).toBeLessThan(300);
  expect(await credentials()).not.toEqual(before);
});

test('readiness tells how the newest session is kept apart [vault.sandbox.isolation.best]', async () => {
  const weaker = { ...state().isolation, level: 'weaker', network_namespace: false, tool: 'none' } as const;
  sandbox.enclave.script['session.open'] = () => ({
    reply: { session: state({ isolation: weaker }), auditId: 'a-1' },
  });
  expect((await create({})).data.isolation).toEqual(weaker);
  expect(await sandbox.vault.ask('GET', '/ready')).toMatchObject({
    status: 200,
    data: { ready: true, sandbox: weaker },
  });
});

test('a token for one agent opens sessions for that agent alone [vault.sandbox.create.agent]', async () => {
  const token = await sandbox.newToken(['credential:use'], { agent_did: 'did:key:zOwn' });
  const session = (await create({ agent_did: 'did:key:zOther' }, token)).data;
  expect(session.agent_did).toBe('did:key:zOwn');
  expect(opened()).toMatchObject({ agentDid: 'did:key:zOwn' });
});

test('sessions are listed newest first, by status, page by page [vault.sandbox.list-and-get] [vault.sandbox.session.status]', async () => {
  const [first, second] = [
    await sandbox.newSession({ task: 'first' }),
    await sandbox.newSession({ task: 'second' }),
  ];
  const list = async (query: string) => (await sandbox.ask('GET', `/sandbox/sessions?${query}`)).data;
  const two = await list('limit=2&status=active');
  expect(two.items).toEqual([second, first]);
  expect((await list('limit=1&offset=1')).items).toEqual([first]);
  expect((await list('limit=1')).total).toBe((await list('limit=200')).items.length);
  expect((await list('status=paused')).items).toEqual([]);
  expect(await sandbox.ask('GET', '/sandbox/sessions?status=asleep')).toMatchObject(
    refused(400, 'invalid_request'),
  );
  expect((await get(first.id)).data).toEqual(first);
});

test('each route wants its scope [vault.sandbox.scopes]', async () => {
  const [reader, auditor, user] = [
    await sandbox.newToken(['credential:read', 'credential:write', 'audit:read']),
    await sandbox.newToken(['audit:read']),
    await sandbox.newToken(['credential:use']),
  ];
  const { id } = await sandbox.newSession({}, user);
  const path = `/sandbox/sessions/${id}`;
  expect(await sandbox.ask('GET', '/sandbox/sessions', { token: reader })).toMatchObject({ status: 200 });
  const scoped = refused(403, 'insufficient_scope');
  for (const asked of ['', `/${id}`, `/${id}/operations`]) {
    expect(await sandbox.ask('GET', `/sandbox/sessions${asked}`, { token: user })).toMatchObject({
      status: 200,
    });
    expect(await sandbox.ask('GET', `/sandbox/sessions${asked}`, { token: auditor })).toMatchObject(scoped);
  }
  const acts: readonly (readonly [string, string, object?])[] = [
    [
      'POST',
      '/sandbox/sessions',
      { credential_ids: [], task: 'Log in', allowed_urls: ['https://a.example'] },
    ],
    ['POST', `${path}/execute`, { operation_type: 'click', selector: 'a' }],
    ['POST', `${path}/screenshot`, {}],
    ['POST', `${path}/export`, { format: 'text' }],
    ['POST', `${path}/pause`],
    ['POST', `${path}/resume`],
    ['DELETE', path],
  ];
  for (const [method, asked, body] of acts) {
    expect(await sandbox.ask(method, asked, { token: reader, body })).toMatchObject(scoped);
    expect((await sandbox.ask(method, asked, { token: user, body })).status).not.toBe(403);
  }
});

test('a session belongs to the token that opened it and to people: to no other tenant, token or user [vault.sandbox.tenant-isolation] [vault.sandbox.session.owner] [vault.sandbox.token-credentials]', async () => {
  await sandbox.vault.addUser('bob', 'globex', ['admin']);
  await sandbox.vault.addUser('carl', 'acme', ['credential:decrypt', 'credential:write', 'audit:read']);
  await sandbox.vault.addUser('dana', 'acme', ['credential:decrypt']);
  const [bob, carl] = [await sandbox.login('bob'), await sandbox.login('carl')];
  const [one, other] = [await sandbox.newCredential(), await sandbox.newCredential()];
  const limits = { credential_ids: [one, other] };
  const opener = await sandbox.newToken(['credential:decrypt'], limits, carl);
  const theirs = await sandbox.newSession(limits, opener);
  const half = await sandbox.newToken(['credential:use'], { credential_ids: [one] }, carl);
  const strangers = [
    bob,
    half,
    await sandbox.login('dana'),
    // With all that its opener has, made by the same person, by an admin and by the opener itself.
    await sandbox.newToken(['credential:decrypt'], limits, carl),
    await sandbox.newToken(['admin']),
    await sandbox.newToken(['admin'], { expires_in: 60 }, await sandbox.newToken(['admin'])),
    await sandbox.newToken(['credential:decrypt'], { expires_in: 60 }, opener),
  ];
  const path = `/sandbox/sessions/${theirs.id}`;
  const everything: readonly (readonly [string, string, object?])[] = [
    ['GET', path],
    ['GET', `${path}/operations`],
    ['POST', `${path}/execute`, { operation_type: 'click', selector: 'a' }],
    ['POST', `${path}/screenshot`, {}],
    ['POST', `${path}/export`, { format: 'text' }],
    ['POST', `${path}/pause`, {}],
    ['POST', `${path}/resume`, {}],
    ['POST', `${path}/approvals/${crypto.randomUUID()}`, { decision: 'approve' }],
    ['DELETE', path],
  ];
  for (const token of strangers)
    for (const [method, asked, body] of everything)
      expect(await sandbox.ask(method, asked, { token, body })).toMatchObject(refused(404, 'not_found'));
  const operated = sandbox.enclave.asked('session.operate').map(({ sessionId }) => sessionId);
  expect(operated).not.toContain(theirs.id);
  const seen = async (token: string) =>
    (await sandbox.ask('GET', '/sandbox/sessions?limit=200', { token })).data.items.some(
      ({ id }: { id: string }) => id === theirs.id,
    );
  for (const token of strangers) expect(await seen(token)).toBe(false);
  // Its opener, the opener's user and an admin, who logged in.
  const drive = { body: { operation_type: 'click', selector: 'a' } };
  for (const token of [opener, carl, await sandbox.login('carl'), sandbox.owner]) {
    expect(await seen(token)).toBe(true);
    expect(await get(theirs.id, token)).toMatchObject({ status: 200, data: { id: theirs.id } });
    expect(await sandbox.ask('POST', `${path}/execute`, { token, ...drive })).toMatchObject({ status: 200 });
  }
  expect(await create({ credential_ids: [other] }, half)).toMatchObject(refused(404, 'not_found'));
  for (const id of ['x', '%00', crypto.randomUUID()])
    expect((await get(id)).data.error.code).toMatch(/^(not_found|invalid_request)$/);
});

test('pause, resume and close answer the session, again and again [vault.sandbox.pause-and-resume] [vault.sandbox.close]', async () => {
  const { id } = await sandbox.newSession();
  const path = `/sandbox/sessions/${id}`;
  const { script } = sandbox.enclave;
  script['session.pause'] = ({ by }) => ({ reply: { session: state({ status: 'paused', pausedBy: by }) } });
  script['session.resume'] = () => ({ reply: { session: state({ currentUrl: 'https://shop.example/' }) } });
  script['session.close'] = () => ({
    reply: { session: state({ status: 'closed', closedReason: 'asked' }), auditId: 'a-2' },
  });
  for (let twice = 0; twice < 2; twice += 1)
    expect(await sandbox.ask('POST', `${path}/pause`)).toMatchObject({
      status: 200,
      data: { id, status: 'paused' },
    });
  expect(
    await sandbox.ask('POST', `${path}/execute`, { body: { operation_type: 'click', selector: 'a' } }),
  ).toMatchObject(refused(400, 'invalid_request', expect.stringContaining('a person paused the session')));
  for (let twice = 0; twice < 2; twice += 1)
    expect(await sandbox.ask('POST', `${path}/resume`)).toMatchObject({
      status: 200,
      data: { id, status: 'active', current_url: 'https://shop.example/' },
    });
  for (let twice = 0; twice < 2; twice += 1)
    expect(await sandbox.ask('DELETE', path)).toMatchObject({
      status: 200,
      data: { id, status: 'closed', closed_reason: 'asked' },
    });
  for (const what of ['pause', 'resume', 'screenshot'])
    expect(await sandbox.ask('POST', `${path}/${what}`)).toMatchObject(
      refused(
        400,
        'invalid_request',
        expect.stringContaining('the session is over (asked): open another one'),
      ),
    );
});

test('the enclave is told who pauses and resumes; an agent that may not is told what to do [vault.sandbox.pause.person]', async () => {
  const token = await sandbox.newToken(['credential:use']);
  const { id } = await sandbox.newSession({}, token);
  const path = `/sandbox/sessions/${id}`;
  const { script } = sandbox.enclave;
  script['session.pause'] = ({ by }) => ({ reply: { session: state({ status: 'paused', pausedBy: by }) } });
  script['session.resume'] = ({ by }) =>
    by === 'agent' ? { refusal: { code: 'PAUSED_BY_PERSON' } } : { reply: { session: state() } };
  expect(await sandbox.ask('POST', `${path}/pause`, { token })).toMatchObject({
    data: { status: 'paused', paused_by: 'agent' },
  });
  // It is paused already, but by whom it is matters.
  expect(await sandbox.ask('POST', `${path}/pause`)).toMatchObject({
    data: { status: 'paused', paused_by: 'person' },
  });
  expect(await sandbox.ask('GET', path, { token })).toMatchObject({ data: { paused_by: 'person' } });
  expect(await sandbox.ask('POST', `${path}/resume`, { token })).toMatchObject(
    refused(403, 'insufficient_scope', expect.stringContaining('ask one to, or close it')),
  );
  const resumed = await sandbox.ask('POST', `${path}/resume`);
  expect(resumed).toMatchObject({ status: 200, data: { status: 'active' } });
  expect(resumed.data).not.toHaveProperty('paused_by');
});

test('a session is expired when its time is over, whoever says so [vault.sandbox.session.expires]', async () => {
  const session = await sandbox.newSession({ ttl_seconds: 10 });
  sandbox.vault.advance(9);
  expect((await get(session.id)).data.status).toBe('active');
  sandbox.vault.advance(1);
  const over = { ...session, status: 'expired', closed_reason: 'expired' };
  const token = await sandbox.login();
  expect((await get(session.id, token)).data).toEqual(over);
  const { items } = (await sandbox.ask('GET', '/sandbox/sessions?status=expired', { token })).data;
  expect(items).toContainEqual(over);
  expect(
    await sandbox.ask('POST', `/sandbox/sessions/${session.id}/execute`, {
      token,
      body: { operation_type: 'click', selector: 'a' },
    }),
  ).toMatchObject(refused(400, 'invalid_request', expect.stringContaining('expired')));
});
