import { createPublicKey, hash, randomBytes, randomUUID, verify as verifyEd25519 } from 'node:crypto';
import { checkActionStatement, connectActionTokens, paramsHash } from '@countersign/sdk/action';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pace } from '../fixtures/pace.ts';
import { type Sent, startCheckingTarget } from './fixtures/checking-target.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';

let control: TestControlPlane;
let other: { readonly url: string };
let target: Awaited<ReturnType<typeof startCheckingTarget>>;
let policy_id = '';

beforeAll(async () => {
  [control, target] = await Promise.all([startControlPlane(), startCheckingTarget()]);
  for (const [service, safe_to_retry] of [
    ['bank', false],
    ['again', true],
  ]) {
    const { definition } = target;
    await control.admin('POST', '/v1/connectors', { service, type: 'http', safe_to_retry, definition });
  }
  const policy = { name: 'all', cedar: 'permit(principal, action, resource);' };
  policy_id = (await control.admin('POST', '/v1/policies', policy)).data.policy_id;
});
afterAll(async () => {
  await control?.stop();
  await target?.stop();
});
beforeEach(() => {
  target.state.check = async () => 200;
});

/** As a service asks: without a key. */
const verify = async (token: string, url?: string) => {
  const asked = { body: { token }, ...(url !== undefined && { url }) };
  return (await control.ask('POST', '/v1/action-tokens/verify', asked)).data;
};
const request = (more: object = {}) =>
  control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers: { 'idempotency-key': randomUUID() },
    body: { policy_id, user_id: 'ann', service: 'bank', action: 'pay', params: { amount: 7 }, ...more },
  });
/** An execution whose request the service holds until it is let go: what it was sent. */
async function held(more: object = {}) {
  const sent: Sent[] = [];
  const release: (() => void)[] = [];
  const hearing: (() => void)[] = [];
  target.state.check = (one) => {
    sent.push(one);
    for (const hear of hearing.splice(0)) hear();
    return new Promise((end) => release.push(() => end(200)));
  };
  const got = async (count: number) => {
    while (sent.length < count) await new Promise<void>((resolve) => hearing.push(resolve));
  };
  const execution = await request({ mode: 'async', timeout_seconds: 60, ...more });
  await got(1);
  const [{ token, statement } = { token: '', statement: '' }] = sent;
  return {
    id: String(execution.data.execution_id),
    token,
    statement,
    sent,
    got,
    release: () => release.splice(0).forEach((end) => end()),
  };
}
async function ended(id: string) {
  const nextTime = pace();
  for (;;) {
    const asked = await control
      .ask('GET', `/v1/executions/${id}`, { key: control.keys.service })
      .catch(() => null);
    if (asked?.status === 200 && asked.data.ended_at !== null) return asked.data;
    await nextTime();
  }
}
const spent = { valid: false, reason: 'spent' };

/** PASETO v4.public by its specification, with nothing of ours: the claims, or an error. */
function readByHand(statement: string, paserk: string) {
  const [version, purpose, body = '', ...more] = statement.split('.');
  if (version !== 'v4' || purpose !== 'public' || more.length > 0) throw new Error('no v4.public');
  const bytes = Buffer.from(body, 'base64url');
  const [message, signature] = [bytes.subarray(0, -64), bytes.subarray(-64)];
  const length = (n: number) => {
    const eight = Buffer.alloc(8);
    eight.writeBigUInt64LE(BigInt(n));
    return eight;
  };
  const pieces = [Buffer.from('v4.public.'), message, Buffer.alloc(0), Buffer.alloc(0)];
  const signed = Buffer.concat([length(4), ...pieces.flatMap((one) => [length(one.length), one])]);
  const x = paserk.replace(/^k4\.public\./, '');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!verifyEd25519(null, signed, key, signature)) throw new Error('not signed by this key');
  return JSON.parse(message.toString());
}

test('kill -9 of the process or the enclave ends the request, and its token with it; what runs again has another [control-plane.action-token.verify.once]', async () => {
  const [asked, unasked] = [await held(), await held()];
  expect(await verify(asked.token)).toMatchObject({ valid: true });
  await control.killAndRestart();
  for (const token of [asked.token, unasked.token, asked.token]) expect(await verify(token)).toEqual(spent);
  asked.release();
  unasked.release();
  for (const { id } of [asked, unasked]) expect(await ended(id)).toMatchObject({ status: 'outcome_unknown' });

  const again = await held({ service: 'again' });
  expect(await verify(again.token)).toMatchObject({ valid: true });
  await control.killEnclaveAndRestart();
  expect(await verify(again.token)).toEqual(spent);
  await again.got(2);
  expect(await verify(again.sent[1]?.token ?? '')).toMatchObject({
    valid: true,
    claims: { execution_id: again.id },
  });
  expect(await verify(again.token)).toEqual(spent);
  again.release();
  expect(await ended(again.id)).toMatchObject({ status: 'completed' });
  other = await control.startAnother();
});

test('a service that asks during the request hears once what it is for, and ever after that it is spent [control-plane.action-token.verify] [control-plane.action-token.statement]', async () => {
  const seen: { sent?: Sent; first?: ReturnType<typeof JSON.parse>; second?: unknown } = {};
  target.state.check = async (sent) => {
    seen.sent = sent;
    seen.first = await verify(sent.token);
    seen.second = await verify(sent.token, other.url);
    return seen.first.valid ? 200 : 403;
  };
  const params = { amount: 7, to: 'Zoë', lines: [{ n: 1 }] };
  const { status, data } = await request({ params });
  expect([status, data.status]).toEqual([200, 'completed']);
  const { sent, first } = seen;
  if (sent === undefined) throw new Error('nothing was sent');
  expect(first).toEqual({
    valid: true,
    claims: {
      jti: data.action_token.jti,
      iss: expect.any(String),
      iat: expect.any(String),
      exp: data.action_token.exp,
      aud: 'bank',
      execution_id: data.execution_id,
      policy_id,
      policy_version: 1,
      action: 'pay',
      params_hash: data.params_hash,
      hitl_confirmed: false,
      tee_mrenclave: data.proof.receipt.tee_mrenclave,
    },
  });
  expect(seen.second).toEqual(spent);
  expect(paramsHash(JSON.parse(sent.body))).toBe(first.claims.params_hash);

  const { data: key } = await control.ask('GET', '/v1/action-tokens/key');
  expect(readByHand(sent.statement, key.public_key)).toEqual(first.claims);
  const changed = Buffer.from(sent.statement.slice('v4.public.'.length), 'base64url');
  changed.write('refund', changed.indexOf('"pay"') + 1);
  const forged = `v4.public.${changed.toString('base64url')}`;
  expect(() => readByHand(forged, key.public_key)).toThrow('not signed');
  const about = { publicKey: key.public_key, service: 'bank', now: new Date() };
  expect(checkActionStatement(sent.statement, about)).toEqual({ valid: true, claims: first.claims });
  for (const [header, more, reason] of [
    [forged, {}, 'not_signed'],
    [undefined, {}, 'not_signed'],
    [sent.token, {}, 'not_signed'],
    [sent.statement, { service: 'casino' }, 'another_service'],
    [sent.statement, { now: new Date(first.claims.exp) }, 'expired'],
  ] as const)
    expect(checkActionStatement(header, { ...about, ...more })).toEqual({ valid: false, reason });

  expect(await verify(sent.token)).toEqual(spent);
  expect(await verify(sent.token, other.url)).toEqual(spent);
});

test('the key of statements is published without a key of the API, endorsed by the audit key of the report [control-plane.action-token.key]', async () => {
  const { status, data } = await control.ask('GET', '/v1/action-tokens/key');
  const report = (await control.ask('GET', '/v1/attestation/report')).data;
  expect(status).toBe(200);
  expect(data).toEqual({
    public_key: expect.stringMatching(/^k4\.public\.[\w-]{43}$/),
    signature: expect.any(String),
    audit_public_key: report.auditPublicKey,
  });
  const x = Buffer.from(data.audit_public_key, 'base64').toString('base64url');
  const auditKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = hash('sha256', `countersign-action-key-v1${data.public_key}`, 'buffer');
  expect(verifyEd25519(null, signed, auditKey, Buffer.from(data.signature, 'base64'))).toBe(true);
});

test('of many who ask at once, at two processes, one hears that it is valid [control-plane.action-token.verify.once]', async () => {
  const { id, token, release } = await held();
  const all = await Promise.all(
    Array.from({ length: 24 }, (_, n) => verify(token, n % 2 === 0 ? undefined : other.url)),
  );
  expect(all.filter(({ valid }) => valid)).toHaveLength(1);
  expect(all.filter(({ reason }) => reason === 'spent')).toHaveLength(23);
  release();
  expect(await ended(id)).toMatchObject({ status: 'completed' });
});

test('a token that nobody asked about is spent with its request, whether that was done, refused or cut off [control-plane.action-token.verify.once]', async () => {
  const tokens: string[] = [];
  for (const status of [200, 409]) {
    target.state.check = async ({ token }) => {
      tokens.push(token);
      return status;
    };
    await request();
  }
  const late = await held({ mode: 'sync', timeout_seconds: 1 });
  expect(await ended(late.id)).toMatchObject({ status: 'outcome_unknown' });
  for (const token of [...tokens, late.token]) {
    expect(await verify(token)).toEqual(spent);
    expect(await verify(token)).toEqual(spent);
  }
  expect(tokens).toHaveLength(2);
  late.release();
});

test('what no enclave made for a request is told apart and tells nothing [control-plane.action-token.verify.unknown]', async () => {
  const { token, statement, release, id } = await held();
  const last = token.endsWith('A') ? 'B' : 'A';
  for (const unknown of [`v4.local.${randomBytes(300).toString('base64url')}`, token.slice(0, -1) + last])
    expect(await verify(unknown)).toEqual({ valid: false, reason: 'unknown' });
  for (const none of ['', 'x', statement, `${token}=`, `${token}.e30`, ` ${token}`, token.toUpperCase()])
    expect(await verify(none)).toEqual({ valid: false, reason: 'malformed' });
  const body = { token, key: 'more' };
  expect(await control.ask('POST', '/v1/action-tokens/verify', { body })).toMatchObject({ status: 400 });
  // None of these was the token: it is as good as before.
  expect(await verify(token)).toMatchObject({ valid: true });
  release();
  await ended(id);
});

test('asking is rate-limited by address, apart from the calls of those who have keys [control-plane.action-token.verify.rate]', async () => {
  const { url, stop } = await control.startAnother({ RATE_LIMIT_REQUESTS: '3' });
  const ask = () =>
    control.ask('POST', '/v1/action-tokens/verify', { url, body: { token: 'v4.local.none' } });
  for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused).toMatchObject({ status: 429, data: { code: 'rate_limited' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const { status } = await control.ask('GET', '/v1/executions', { url, key: control.keys.service });
  expect(status).toBe(200);
  await stop();
});

test('the SDK asks for a service: valid once, for this service alone, and no answer is a refusal [system.sdk.action-tokens]', async () => {
  const about = { url: control.url.href, ca: control.ca };
  const [bank, casino] = ['bank', 'casino'].map((service) => connectActionTokens({ ...about, service }));
  const nobody = connectActionTokens({ url: 'https://127.0.0.1:9', service: 'bank' });
  if (bank === undefined || casino === undefined) throw new Error('nobody asks');
  const one = await held();
  expect(await nobody.verifyActionToken(one.token)).toEqual({ valid: false, reason: 'no_answer' });
  expect(await bank.verifyActionToken(one.token)).toMatchObject({ valid: true, claims: { aud: 'bank' } });
  expect(await bank.verifyActionToken(one.token)).toEqual(spent);
  expect(await bank.verifyActionToken(undefined)).toEqual({ valid: false, reason: 'malformed' });
  one.release();
  const two = await held();
  expect(await casino.verifyActionToken(two.token)).toEqual({ valid: false, reason: 'another_service' });
  two.release();
  await Promise.all([ended(one.id), ended(two.id), bank.close(), casino.close(), nobody.close()]);
});
