import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealedKey } from './fixtures/credentials.ts';
import { type EnclaveProcess, Enclaves } from './fixtures/enclave-process.ts';
import { copiesInMemory } from './fixtures/memory.ts';
import { coreOf } from './fixtures/processes.ts';

const enclaves = new Enclaves();
let enclave: EnclaveProcess;
beforeAll(async () => {
  enclave = await enclaves.start(enclaves.newDir());
});
afterAll(() => enclaves.end());

/** Another user's process is read by root alone. */
const canLook = process.getuid?.() === 0;

test.runIf(canLook)(
  'of a thousand secrets that it sealed and opened none is left in the enclave, nor of those it refused [vault.keys.wiped]',
  async () => {
    const client = await enclaves.connect(enclave);
    const marker = randomBytes(16).toString('hex');
    // At both ends: what is freed may lose its beginning.
    const secret = () => `${marker}${randomBytes(16).toString('hex')}${marker}`;
    const use = async (isRefusedToo: boolean) => {
      const request = await sealedKey(client, secret());
      const opened = await client.call('open', request);
      expect(opened.ok && opened.value.body.includes(marker)).toBe(true);
      if (!isRefusedToo) return;
      // Refused after it was decrypted, and before it was encrypted.
      expect((await client.call('open', { ...request, actor: '\n' })).ok).toBe(false);
      const invalid = Buffer.from(JSON.stringify({ key: secret(), more: secret() }));
      expect((await client.call('seal', { binding: request.binding, sealed: false }, invalid)).ok).toBe(
        false,
      );
    };
    for (let i = 0; i < 20; i += 1)
      await Promise.all(Array.from({ length: 50 }, (_, n) => use(n % 10 === 0)));
    // An answer may be here before the enclave has wiped what it sent; what it answers next comes after that.
    await client.call('describe', {});
    expect(copiesInMemory(coreOf(enclave), [Buffer.from(marker)])).toBe(0);
    expect(copiesInMemory(enclave.pid, [Buffer.from(marker)])).toBe(0);
    // The same scan finds them where they were not wiped: here, where these are kept from the garbage collector.
    const kept = Array.from({ length: 101 }, () => Buffer.from(marker));
    expect(copiesInMemory(process.pid, kept.slice(0, 1))).toBeGreaterThan(100);
    expect(kept).toHaveLength(101);
  },
);

test.runIf(canLook)(
  'keys are where not even root reads them, if the report says so [vault.keys.secret-memory]',
  async () => {
    const client = await enclaves.connect(enclave);
    const tokenKey = await client.call('tokenKey', {});
    const described = await client.call('describe', {});
    if (!described.ok || !tokenKey.ok) throw new Error('no answer');
    const copies = copiesInMemory(coreOf(enclave), [tokenKey.value.body]);
    expect(copies).toBe(described.value.reply.isolation.secretMemory ? 0 : 1);
  },
);
