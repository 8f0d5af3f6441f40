import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket } from '../../packages/service/test/web-socket.ts';
import { type ShopWithLogin, startShop } from './fixtures/shop-with-login.ts';
import { type Json, startVault, type TestVault } from './fixtures/vault.ts';

const customer = { username: 'ada@shop.example', password: 'correct-Horse&battery 7' };
const did = 'did:key:zAgent';
let vault: TestVault;
let shop: ShopWithLogin;
let owner: string;
let agent: string;
let credential: string;
beforeAll(async () => {
  [vault, shop] = await Promise.all([startVault(), startShop(customer)]);
  owner = (await vault.newUser('olga', '--tenant', 'acme', '--admin')).token;
  const about = { service_id: 'shop', credential_type: 'username_password', plaintext_data: customer };
  credential = (await vault.newCredential(owner, { ...about, allowed_urls: [shop.url] })).id;
  agent = await vault.newToken(owner, ['credential:use', 'audit:read'], { agent_did: did });
});
afterAll(async () => {
  shop?.stop();
  await vault?.stop();
});

async function ask(method: string, path: string, body?: object, token = agent): Promise<Json> {
  const { status, data } = await vault.ask(method, `/api/v1${path}`, {
    token,
    ...(body !== undefined && { body }),
  });
  expect([status, data]).toEqual([expect.toSatisfy((code: number) => code < 300), data]);
  return data;
}

async function openSession(token = agent, more: object = {}): Promise<string> {
  const body = {
    credential_ids: [credential],
    task: 'Sign in and export the orders',
    allowed_urls: [shop.url],
    start_url: `${shop.url}/login?from=mail`,
    ...more,
  };
  return (await ask('POST', '/sandbox/sessions', body, token)).id;
}

const execute = (id: string, operation_type: string, more: object, token = agent) =>
  ask('POST', `/sandbox/sessions/${id}/execute`, { operation_type, ...more }, token);
const records = async (query: string): Promise<Json[]> =>
  (await ask('GET', `/audit/logs?limit=1000&${query}`, undefined, owner)).items;
const leftOf = async (id: string): Promise<Json[]> =>
  (await records(`sessionId=${id}`)).filter(({ eventType }) => eventType === 'content_left').toReversed();

/** As somebody without any program of ours would: two hashes over what was handed out. */
const plain = (bytes: Buffer) => hash('sha256', bytes);
const salted = (salt: string, bytes: Buffer) =>
  hash('sha256', Buffer.concat([Buffer.from(salt, 'hex'), bytes]));

test('whatever leaves a session is told with page, size and digest: to the agent, in its log and in the audit log [vault.sandbox.left] [vault.audit.event.content-left]', async () => {
  const id = await openSession();
  const path = `/sandbox/sessions/${id}`;
  for (const field of ['username', 'password'])
    await execute(id, 'fill', { selector: `#${field}`, value: `{{CREDENTIAL.${field}}}` });
  await execute(id, 'click', { selector: '#sign-in' });
  const read = await execute(id, 'extract', { selector: '#echo' });
  const script = 'return { rows: document.querySelectorAll("tr").length, shop: document.title }';
  const ran = await execute(id, 'execute_script', { value: script });
  const csv = await ask('POST', `${path}/export`, { format: 'csv', selector: 'table' });
  const json = await ask('POST', `${path}/export`, { format: 'json' });
  const picture = await ask('POST', `${path}/screenshot`, { full_page: true });

  const got = [
    ['extract', 'text/plain', read, Buffer.from(read.result)],
    ['script_result', 'application/json', ran, Buffer.from(JSON.stringify(ran.result))],
    ['export', 'text/csv', csv, Buffer.from(csv.data)],
    ['export', 'application/json', json, Buffer.from(JSON.stringify(json.data))],
    ['screenshot', 'image/png', picture, Buffer.from(picture.image, 'base64')],
  ] as const;
  const told = await leftOf(id);
  expect(told).toHaveLength(got.length);
  const { items, total } = await ask('GET', `${path}/operations`);
  expect(total).toBe(8);
  for (const [index, [what, media_type, answer, bytes]] of got.entries()) {
    expect(answer.left).toEqual({
      audit_id: told[index].auditId,
      what,
      media_type,
      page: `${shop.url}/orders`,
      bytes: bytes.length,
      sha256: plain(bytes),
      salt: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(told[index]).toMatchObject({
      actor: expect.stringMatching(/^user:olga token:/),
      agentDid: did,
      detail: {
        what,
        mediaType: media_type,
        page: `${shop.url}/orders`,
        bytes: bytes.length,
        saltedSha256: salted(answer.left.salt, bytes),
        operationId: answer.operation_id,
        intent: answer.audit_id,
      },
    });
    const line = items.find(({ operation_id }: Json) => operation_id === answer.operation_id);
    expect(line).toMatchObject({ left: answer.left, agent_did: did, status: 'executed' });
  }
  expect(
    items.slice(0, 3).map(({ operation_type, selector, value }: Json) => [operation_type, selector, value]),
  ).toEqual([
    ['screenshot', null, 'full page'],
    ['export', null, 'json'],
    ['export', 'table', 'csv'],
  ]);
  // Whoever reads the log alone has nothing to try a guess against.
  for (const [, , { left }, bytes] of got) {
    const log = JSON.stringify(await records(`sessionId=${id}`));
    for (const kept of [plain(bytes), left.salt]) expect(log).not.toContain(kept);
  }
  await ask('DELETE', path);
});

test('pictures of the live view are on record for each that watches, with all that its frames say [vault.sandbox.left.live]', async () => {
  const id = await openSession();
  const watch = (token: string) =>
    openSocket(`${vault.url}/api/v1/sandbox/sessions/${id}/events?frames=1`, { token });
  const sockets = [watch(agent), watch(owner)];
  const framesOf = (socket: (typeof sockets)[number]) =>
    (socket.all() as unknown as Json[]).filter(({ type }) => type === 'frame');
  for (const socket of sockets) await expect.poll(() => framesOf(socket).length).toBeGreaterThan(1);
  await ask('DELETE', `/sandbox/sessions/${id}`);
  for (const socket of sockets) await socket.closed;
  const told = await leftOf(id);
  const person = told.find(({ agentDid }) => agentDid === undefined);
  const byAgent = told.find(({ agentDid }) => agentDid === did);
  expect([told.length, person?.actor, byAgent?.actor]).toEqual([
    2,
    'user:olga',
    expect.stringMatching(/^user:olga token:/),
  ]);
  for (const [index, socket] of sockets.entries()) {
    const known = [byAgent, person][index].detail.pictures.map(({ saltedSha256 }: Json) => saltedSha256);
    for (const frame of framesOf(socket)) {
      const bytes = Buffer.from(frame.image, 'base64');
      expect(frame.sha256).toBe(plain(bytes));
      expect(known).toContain(salted(frame.salt, bytes));
    }
  }
  const { items } = await ask('GET', `/sandbox/sessions/${id}/operations`);
  expect(items.map(({ operation_type }: Json) => operation_type)).toEqual(['watch', 'watch']);
  const [mine] = (await ask('GET', `/sandbox/sessions/${id}/operations?agent_did=${did}`)).items;
  expect(mine.left).toMatchObject({
    what: 'live_view',
    pictures: expect.any(Number),
    page: `${shop.url}/login`,
  });
});

test('records and a session’s log name who acted (person, token or agent), whoever opened it, and are filtered by that [vault.audit.record.who] [vault.audit.query.actor] [vault.sandbox.operations.who]', async () => {
  const named = 'did:web:orchestrated.example';
  const [agents, persons] = [await openSession(), await openSession(owner, { agent_did: named })];
  const plainly = await openSession(owner);
  const reading = { selector: '#sign-in' };
  // A person joins the agent's session, and looks.
  await execute(agents, 'extract', reading);
  await execute(agents, 'extract', reading, owner);
  await execute(persons, 'extract', reading, owner);
  await execute(plainly, 'extract', reading, owner);
  const { id: token } = await ask('POST', '/tokens/verify', { token: agent });

  const linesOf = async (id: string, query = '') =>
    (await ask('GET', `/sandbox/sessions/${id}/operations${query}`, undefined, owner)).items.map(
      ({ actor, agent_did }: Json) => [actor, agent_did],
    );
  const [byAgent, byPerson] = [
    [`user:olga token:${token}`, did],
    ['user:olga', null],
  ];
  expect(await linesOf(agents)).toEqual([byPerson, byAgent]);
  expect(await linesOf(agents, `?agent_did=${did}`)).toEqual([byAgent]);
  expect(await linesOf(agents, `?actor=token:${token}`)).toEqual([byAgent]);
  expect(await linesOf(agents, '?actor=user:olga')).toEqual([byPerson]);
  expect(await linesOf(agents, '?actor=user:nobody')).toEqual([]);
  // Whoever opened it for an agent acts for that one.
  expect(await linesOf(persons)).toEqual([['user:olga', named]]);
  expect(await linesOf(plainly)).toEqual([byPerson]);

  const opened = async (id: string) =>
    (await ask('GET', `/sandbox/sessions/${id}`, undefined, owner)).opened_by;
  expect([await opened(agents), await opened(persons)]).toEqual([`user:olga token:${token}`, 'user:olga']);
  const { items } = await ask('GET', `/sandbox/sessions?agent_did=${named}`, undefined, owner);
  expect(items.map(({ id }: Json) => id)).toEqual([persons]);

  const whoIn = async (query: string) =>
    (await records(query)).map(({ sessionId, actor, agentDid }) => [sessionId, actor, agentDid]);
  const ofAgent = await whoIn(`agentDid=${did}&sessionId=${agents}`);
  expect(ofAgent).toHaveLength(4);
  for (const each of ofAgent) expect(each).toEqual([agents, byAgent[0], did]);
  expect(await whoIn(`actor=token:${token}&sessionId=${agents}`)).toEqual(ofAgent);
  const ofPerson = await whoIn(`actor=user:olga&sessionId=${agents}`);
  expect(ofPerson).toHaveLength(3);
  for (const each of ofPerson) expect(each).toEqual([agents, 'user:olga', undefined]);
  for (const each of await whoIn(`sessionId=${persons}`)) expect(each).toEqual([persons, 'user:olga', named]);
  expect(await whoIn('actor=token:nobody')).toEqual([]);
  // Nobody is called like a token.
  expect(vault.run(['vault', 'create-user', `olga token:${token}`], 'a password\n').status).not.toBe(0);
  await ask('DELETE', `/sandbox/sessions/${agents}`, undefined, owner);
  const [closed] = await records(`sessionId=${agents}`);
  expect(closed).toMatchObject({ eventType: 'session_closed', actor: 'user:olga' });
  expect(closed.agentDid).toBeUndefined();
});
