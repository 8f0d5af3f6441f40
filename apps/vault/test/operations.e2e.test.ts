import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { done, left, openSandbox, refused, type Sandbox, state } from './browser-sessions.ts';
import { envelope } from './scripted-enclave.ts';
import type { Json } from './vault.ts';

let sandbox: Sandbox;
let agent: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  agent = await sandbox.newToken(['credential:use']);
});
afterAll(() => sandbox?.stop());
beforeEach(() => {
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({ reply: done(operationId) });
});

const execute = (id: string, body: object, token = agent) =>
  sandbox.ask('POST', `/sandbox/sessions/${id}/execute`, { token, body });
const log = async (id: string, query = ''): Promise<Json> =>
  (await sandbox.ask('GET', `/sandbox/sessions/${id}/operations${query}`)).data;
const operated = () => sandbox.enclave.asked('session.operate').at(-1);
const fill = { operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' };
const review = (verdict: 'allow' | 'ask' | 'deny', rule: string) => ({
  verdict,
  rules: [{ rule, verdict, message: 'Because.' }],
  duration_ms: 0.2,
});

test('an operation goes to the enclave with the ciphertext that its placeholders mean, and into the log as it was written [vault.sandbox.execute] [vault.sandbox.execute.review] [vault.sandbox.operations]', async () => {
  const credential = await sandbox.newCredential();
  const { id } = await sandbox.newSession({ credential_ids: [credential] }, agent);
  const answer = await execute(id, fill);
  const { operation_id } = answer.data;
  expect(answer).toMatchObject({
    status: 200,
    data: {
      operation_id,
      status: 'executed',
      result: null,
      review: { verdict: 'allow', rules: [] },
      duration_ms: 12.5,
    },
  });
  expect(operated()).toMatchObject({
    sessionId: id,
    operationId: operation_id,
    operation: { ...fill, credential_id: credential },
    credential: { binding: { credentialId: credential }, envelope: { root: 1 } },
    actor: expect.stringMatching(/^user:alice token:/),
  });
  await execute(id, { operation_type: 'wait', selector: null, value: 250, credential_id: null });
  expect(operated()?.credential).toBeUndefined();
  const { items, total } = await log(id);
  expect(total).toBe(2);
  expect(items).toEqual([
    expect.objectContaining({ operation_type: 'wait', selector: null, value: '250' }),
    {
      ...answer.data,
      operation_type: 'fill',
      selector: '#password',
      value: '{{CREDENTIAL.password}}',
      at: sandbox.vault.now().toISOString(),
      decided_by: null,
      actor: expect.stringMatching(/^user:alice token:/),
      agent_did: null,
      left: null,
    },
  ]);
  expect((await log(id, '?limit=1&offset=1')).items).toEqual([items[1]]);
  expect((await sandbox.ask('GET', `/sandbox/sessions/${id}`)).data.current_url).toBe(
    'https://shop.example/',
  );
});

test('what was rejected is a result, what failed says why, and a long result is cut in the log alone [vault.sandbox.execute.rejection-is-a-result] [vault.sandbox.execute.status]', async () => {
  const { id } = await sandbox.newSession({}, agent);
  const { script } = sandbox.enclave;
  const rejected = { status: 'rejected', review: review('deny', 'scope.url') } as const;
  script['session.operate'] = ({ operationId }) => ({ reply: done(operationId, rejected) });
  expect(await execute(id, { operation_type: 'click', selector: 'a' })).toMatchObject({
    status: 200,
    data: rejected,
  });
  const failed = {
    status: 'failed',
    error: { code: 'no_such_element', message: 'Nothing matches.' },
  } as const;
  script['session.operate'] = ({ operationId }) => ({ reply: done(operationId, failed) });
  expect(await execute(id, { operation_type: 'click', selector: 'b' })).toMatchObject({
    status: 200,
    data: failed,
  });
  const result = { text: 'x'.repeat(40_000), odd: '\0\ud800' };
  script['session.operate'] = ({ operationId }) => ({ reply: done(operationId, { result }) });
  const script_ = { operation_type: 'execute_script', value: 'return 1' };
  expect((await execute(id, script_)).data.result.text).toHaveLength(40_000);
  const { items } = await log(id);
  expect(items[0].result).toMatch(/^\{"text":"x+… \(cut: 40\d\d\d characters in all\)$/);
  expect(items[1]).toMatchObject(failed);
  expect(items[2]).toMatchObject(rejected);
});

test('what cannot be an operation is refused by the name of its field, and nobody hears of it [vault.sandbox.operation.unknown] [vault.sandbox.execute.checked] [vault.sandbox.execute.credential-id]', async () => {
  const [one, two] = [await sandbox.newCredential(), await sandbox.newCredential()];
  const several = (await sandbox.newSession({ credential_ids: [one, two] }, agent)).id;
  const none = (await sandbox.newSession({}, agent)).id;
  const single = (await sandbox.newSession({ credential_ids: [one] }, agent)).id;
  const before = sandbox.enclave.asked('session.operate').length;
  const wrong: readonly (readonly [string, object, RegExp])[] = [
    [none, { operation_type: 'hack' }, /^operation_type: /],
    [none, {}, /^operation_type: is required/],
    [none, { operation_type: 'click' }, /^selector: is required/],
    [none, { operation_type: 'click', selector: 'a', value: 'x' }, /value/],
    [none, { operation_type: 'fill', selector: 'a', value: 7 }, /^value: /],
    [none, { operation_type: 'wait', value: 30_001 }, /^value: must be at most 30000/],
    [none, { operation_type: 'wait' }, /^selector: takes either/],
    [
      none,
      { operation_type: 'fill', selector: 'a', value: '{{credential.password}}' },
      /^value: has a malformed placeholder/,
    ],
    [none, fill, /^value: has a placeholder, but the session was opened without credentials/],
    [several, fill, /^credential_id: is required because the session has several/],
    [single, { ...fill, credential_id: two }, /^credential_id: must be one of the session/],
    [
      single,
      { operation_type: 'click', selector: 'a', credential_id: crypto.randomUUID() },
      /^credential_id: /,
    ],
    [single, { ...fill, value: '{{CREDENTIAL.otp}}' }, /^value: names a field .* username, password$/],
  ];
  for (const [id, body, message] of wrong)
    expect(await execute(id, body)).toMatchObject(
      refused(400, 'invalid_request', expect.stringMatching(message)),
    );
  expect(sandbox.enclave.asked('session.operate')).toHaveLength(before);
  expect((await log(none)).total + (await log(single)).total).toBe(0);
  expect(await execute(several, { ...fill, credential_id: two.toUpperCase() })).toMatchObject({
    status: 200,
  });
  expect(operated()).toMatchObject({
    operation: { credential_id: two },
    credential: { binding: { credentialId: two } },
  });
});

test('a credential that is gone or expired meanwhile is not used [vault.sandbox.execute.credential-anew]', async () => {
  const expires_at = new Date(sandbox.vault.now().getTime() + 5_000).toISOString();
  const [gone, short] = [await sandbox.newCredential(), await sandbox.newCredential({ expires_at })];
  const { id } = await sandbox.newSession({ credential_ids: [gone, short] }, agent);
  await sandbox.ask('DELETE', `/credentials/${gone}`);
  expect(await execute(id, { ...fill, credential_id: gone })).toMatchObject(refused(404, 'not_found'));
  expect(await execute(id, { ...fill, credential_id: short })).toMatchObject({ status: 200 });
  sandbox.vault.advance(5);
  expect(await execute(id, { ...fill, credential_id: short })).toMatchObject(
    refused(422, 'credential_expired'),
  );
  // What needs none goes on.
  expect(await execute(id, { operation_type: 'click', selector: 'a' })).toMatchObject({ status: 200 });
});

test('a credential that was put under a new root secret meanwhile is read again [vault.sandbox.execute.credential-anew]', async () => {
  const credential = await sandbox.newCredential();
  const { id } = await sandbox.newSession({ credential_ids: [credential] }, agent);
  const fresh = envelope(2);
  sandbox.enclave.script['session.operate'] = async ({ operationId, credential: sent }) => {
    if (sent?.envelope.root === 2) return { reply: done(operationId) };
    await sandbox.vault.database.query(
      'update vault.credential set root = 2, salt = $2, nonce = $3, ciphertext = $4 where id = $1',
      [credential, ...[fresh.salt, fresh.nonce, fresh.ciphertext].map((text) => Buffer.from(text, 'base64'))],
    );
    return { refusal: { code: 'CANNOT_DECRYPT' } };
  };
  const answer = await execute(id, fill);
  expect(answer).toMatchObject({ status: 200, data: { status: 'executed' } });
  expect(operated()).toMatchObject({
    operationId: answer.data.operation_id,
    credential: { envelope: fresh },
  });
  expect((await log(id)).total).toBe(1);
});

test('a session that was paused or closed behind our back refuses, and the table learns of it [vault.sandbox.closed-refuses]', async () => {
  const click = { operation_type: 'click', selector: 'a' };
  const { script } = sandbox.enclave;
  const { id } = await sandbox.newSession({}, agent);
  script['session.operate'] = () => ({ refusal: { code: 'SESSION_NOT_ACTIVE' } });
  script['session.state'] = () => ({ reply: { session: state({ status: 'paused' }) } });
  expect(await execute(id, click)).toMatchObject(
    refused(400, 'invalid_request', expect.stringContaining('resume it first')),
  );
  expect((await sandbox.ask('GET', `/sandbox/sessions/${id}`)).data.status).toBe('paused');
  const other = (await sandbox.newSession({}, agent)).id;
  script['session.operate'] = () => ({ refusal: { code: 'NOT_FOUND' } });
  script['session.state'] = () => ({ refusal: { code: 'NOT_FOUND' } });
  expect(await execute(other, click)).toMatchObject(
    refused(400, 'invalid_request', expect.stringContaining('over (enclave_gone)')),
  );
  expect((await sandbox.ask('GET', `/sandbox/sessions/${other}`)).data).toMatchObject({
    status: 'closed',
    closed_reason: 'enclave_gone',
  });
  expect([(await log(id)).total, (await log(other)).total]).toEqual([0, 0]);
});

test('a picture and data of the page go out as they came, and a refusal of the page is told [vault.sandbox.screenshot] [vault.sandbox.export]', async () => {
  const { id } = await sandbox.newSession({}, agent);
  const { script, asked } = sandbox.enclave;
  const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');
  const [shotId, exportId] = [crypto.randomUUID(), crypto.randomUUID()];
  script['session.screenshot'] = () => ({
    reply: { width: 800, height: 600, operationId: shotId, auditId: 'a-9', left: left('screenshot', 10) },
    body: png,
  });
  const ask = (what: string, body: object) =>
    sandbox.ask('POST', `/sandbox/sessions/${id}/${what}`, { token: agent, body });
  const shot = await ask('screenshot', { full_page: true });
  expect(shot).toMatchObject({
    status: 200,
    data: {
      image: png.toString('base64'),
      width: 800,
      height: 600,
      operation_id: shotId,
      audit_id: 'a-9',
      left: left('screenshot', 10),
    },
  });
  expect(asked('session.screenshot').at(-1)).toMatchObject({ fullPage: true });
  script['session.export'] = ({ format }) => ({
    reply: {
      operationId: format === 'json' ? exportId : crypto.randomUUID(),
      auditId: 'a-10',
      left: left('export', 17),
    },
    body: Buffer.from(format === 'json' ? '{"rows":[["ä"]]}' : 'ä;b\n'),
  });
  expect((await ask('export', { format: 'json' })).data).toEqual({
    data: { rows: [['ä']] },
    operation_id: exportId,
    audit_id: 'a-10',
    left: left('export', 17),
  });
  expect((await ask('export', { format: 'csv', selector: 'table' })).data.data).toBe('ä;b\n');
  expect(asked('session.export').at(-1)).toMatchObject({ selector: 'table' });
  const problem = { code: 'held', message: 'Wait until the form is gone.' } as const;
  const operationId = '00000000-0000-4000-8000-0000000000aa';
  script['session.export'] = () => ({ refusal: { code: 'OPERATION_FAILED', problem, operationId } });
  expect(await ask('export', { format: 'text' })).toMatchObject(
    refused(400, 'invalid_request', problem.message),
  );
  const who = { actor: expect.stringMatching(/^user:alice token:/), agent_did: null };
  const { items } = await log(id);
  expect(items).toMatchObject([
    { operation_id: operationId, value: 'text', status: 'failed', error: problem, left: null, ...who },
    { operation_type: 'export', selector: 'table', value: 'csv', left: left('export', 17), ...who },
    { operation_id: exportId, operation_type: 'export', selector: null, value: 'json', ...who },
    { operation_id: shotId, operation_type: 'screenshot', value: 'full page', left: { bytes: 10 }, ...who },
  ]);
  expect(await ask('export', { format: 'xml' })).toMatchObject(
    refused(400, 'invalid_request', expect.stringMatching(/^format/)),
  );
});
