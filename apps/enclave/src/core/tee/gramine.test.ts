import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gramineTee } from './gramine.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gramine-'));
  mkdirSync(join(dir, 'keys'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer) => writeFileSync(join(dir, name), content);
const tee = () => gramineTee({ dir, program: '' }, dir);

test('an enclave under Gramine gives its quote and a secret bound to its program [vault.tee.provider-gives]', async () => {
  const quote = Buffer.alloc(700, 7);
  put('attestation_type', 'dcap\n');
  put('quote', quote);
  put('keys/_sgx_mrenclave', Buffer.alloc(16, 5));
  expect(await tee().quote(Buffer.alloc(64, 1))).toEqual(quote);
  expect(readFileSync(join(dir, 'user_report_data'))).toEqual(Buffer.alloc(64, 1));
  expect(await tee().measurements()).toEqual({ mrenclave: '07'.repeat(32), mrsigner: '07'.repeat(32) });
  expect(await tee().sealingSecret()).toHaveLength(32);
  expect(await tee().sealingSecret()).toEqual(await tee().sealingSecret());
});

test('a process that is no such enclave is told so', async () => {
  put('attestation_type', 'none');
  await expect(tee().quote(Buffer.alloc(64))).rejects.toThrow('sgx.remote_attestation = "dcap"');
  put('keys/_sgx_mrenclave', Buffer.alloc(15));
  await expect(tee().sealingSecret()).rejects.toThrow('16 bytes');
  const elsewhere = gramineTee({ dir, program: '' });
  await expect(elsewhere.quote(Buffer.alloc(64))).rejects.toThrow('no process under Gramine-SGX');
  await expect(elsewhere.sealingSecret()).rejects.toThrow('no process under Gramine-SGX');
});
