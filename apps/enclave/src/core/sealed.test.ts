import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';
import { bindingOf, login, opened, sealed } from '../../test/credentials.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket();
});
afterAll(() => core.stop());

/** A client that was told the suite, and shares no code with the enclave's use of it. */
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const info = new TextEncoder().encode('countersign-vault-v1');
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

async function sealedByClient(plaintext: Uint8Array): Promise<Buffer> {
  const described = await core.client.call('describe', {});
  if (!described.ok) throw new Error(described.error.code);
  const key = Buffer.from(described.value.reply.sealPublicKey, 'base64');
  expect(key).toHaveLength(65);
  const recipientPublicKey = await suite.kem.deserializePublicKey(bufferOf(key));
  const { enc, ct } = await suite.seal({ recipientPublicKey, info }, bufferOf(plaintext));
  return Buffer.concat([Buffer.from(enc), Buffer.from(ct)]);
}

test('a plaintext that a client sealed is taken, checked, and opens as it was [vault.sealed.suite]', async () => {
  const binding = bindingOf();
  const answer = await core.client.call('seal', { binding, sealed: true }, await sealedByClient(login));
  if (!answer.ok) throw new Error(answer.error.code);
  const { envelope } = answer.value.reply;
  expect(await opened(core.client, { binding, envelope, actor: 'a', reason: 'r' })).toBe(login.toString());

  const wrong = await sealedByClient(Buffer.from('{"username":"ada"}'));
  expect(await core.client.call('seal', { binding, sealed: true }, wrong)).toEqual({
    ok: false,
    error: { code: 'INVALID_PLAINTEXT', field: 'password' },
  });
});

test('what was not sealed to this enclave is refused, whatever its length', async () => {
  const good = await sealedByClient(login);
  const other = Buffer.from(good);
  other[good.length - 1] = (other.at(-1) ?? 0) ^ 1;
  for (const body of [other, good.subarray(0, 65), good.subarray(0, 10), Buffer.alloc(200)])
    expect(await core.client.call('seal', { binding: bindingOf(), sealed: true }, body)).toEqual({
      ok: false,
      error: { code: 'CANNOT_UNSEAL' },
    });
});

test('an opening for a key of the client leaves the enclave sealed to it [vault.sealed.decrypt]', async () => {
  const pair = await suite.kem.generateKeyPair();
  const publicKey = Buffer.from(await suite.kem.serializePublicKey(pair.publicKey));
  const request = await sealed(core.client);
  const answer = await core.client.call('open', {
    ...request,
    recipientPublicKey: publicKey.toString('base64'),
  });
  if (!answer.ok) throw new Error(answer.error.code);
  expect(answer.value.body.includes('correct horse')).toBe(false);
  const [enc, ciphertext] = [answer.value.body.subarray(0, 65), answer.value.body.subarray(65)];
  const plaintext = await suite.open(
    { recipientKey: pair.privateKey, enc: bufferOf(enc), info },
    bufferOf(ciphertext),
  );
  expect(Buffer.from(plaintext)).toEqual(login);

  const nobody = await core.client.call('open', { ...request, recipientPublicKey: 'AAAA' });
  expect(nobody).toMatchObject({ error: { code: 'INVALID_COMMAND', field: 'recipient_public_key' } });
});

test('the key that clients seal to changes; what was sealed to older ones opens until they are revoked [vault.keys.rotate-seal-key]', async () => {
  const take = async (body: Buffer) => {
    const answer = await core.client.call('seal', { binding: bindingOf(), sealed: true }, body);
    return answer.ok ? 'taken' : answer.error.code;
  };
  const before = [await sealedByClient(login), await sealedByClient(login)];
  const rotated = await core.client.call('rotateSealKey', { revoke: false });
  const report = await core.client.call('report', { nonce: '' });
  const named = report.ok ? report.value.reply.sealPublicKey : '';
  expect(rotated).toMatchObject({ value: { reply: { sealPublicKey: named } } });
  expect(await take(before[0] ?? Buffer.alloc(0))).toBe('taken');
  expect(await take(await sealedByClient(login))).toBe('taken');
  await core.client.call('rotateSealKey', { revoke: true });
  expect(await take(before[1] ?? Buffer.alloc(0))).toBe('CANNOT_UNSEAL');
  expect(await take(await sealedByClient(login))).toBe('taken');
});
