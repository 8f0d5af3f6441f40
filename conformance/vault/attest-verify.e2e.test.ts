import { execFile, spawnSync } from 'node:child_process';
import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportDataOf } from '@countersign/audit-log/attestation';
import { canonicalText } from '@countersign/audit-log/chain';
import { countersign } from '../fixtures/countersign.ts';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { simulatedQuotePrefix, simulatedQuoteSeed } from '@countersign/protocol/vault/simulated-quote';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const measurement = `sim:${'ab'.repeat(32)}`;
const keys = {
  auditPublicKey: Buffer.alloc(32, 1).toString('base64'),
  sealPublicKey: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 2)]).toString('base64'),
};

/** RFC 8410: an Ed25519 private key is this and its seed. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The report of a simulated TEE, as a vault answers it. */
function reportFor(nonce: string): Attestation {
  const reportData = reportDataOf({ ...keys, nonce });
  const quote = { v: 1, reportData, measurement };
  const der = Buffer.concat([pkcs8, Buffer.from(simulatedQuoteSeed, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signature = sign(null, Buffer.from(simulatedQuotePrefix + canonicalText(quote)), key).toString(
    'base64',
  );
  return {
    provider: 'simulated',
    hardware: false,
    quote: Buffer.from(simulatedQuotePrefix + canonicalText({ ...quote, signature })).toString('base64'),
    reportData,
    measurements: { program: measurement },
    ...keys,
    nonce,
    createdAt: new Date().toISOString(),
  };
}

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'attest-verify-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

type Ended = { readonly code: unknown; readonly stdout: string; readonly stderr: string };

function verify(...args: readonly string[]): Promise<Ended> {
  const { command, args: all } = countersign('attest', 'verify', ...args);
  return new Promise((resolve) => {
    execFile(command, [...all], { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

function file(name: string, content: string | Buffer | object): string {
  const isBytes = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(join(dir, name), isBytes ? content : JSON.stringify(content));
  return join(dir, name);
}

describe('countersign attest verify', () => {
  test('says step by step what holds of a simulated report, and exits with 3 [vault.attestation.verify] [vault.attestation.verify.exit-codes]', async () => {
    const options = ['--nonce', 'c0ffee', '--measurement', `program=${measurement}`];
    const { code, stdout } = await verify(file('good.json', reportFor('c0ffee')), ...options);
    expect(code).toBe(3);
    for (const line of [
      'ok      the simulated quote is intact',
      'ok      the report data is SHA-512 of both keys and the nonce',
      'ok      the quote covers this report data',
      'ok      it answers your nonce',
      'ok      program is one that you allow',
      'GOOD, BUT SIMULATED',
    ])
      expect(stdout).toContain(line);
  });

  test('exits with 1 when it claims hardware, binds another key or answers another nonce [vault.attestation.verify.exit-codes]', async () => {
    const report = reportFor('c0ffee');
    const auditPublicKey = Buffer.alloc(32, 9).toString('base64');
    const claims = await verify(file('claims.json', { ...report, hardware: true }), '--json');
    expect(claims.code).toBe(1);
    expect(JSON.parse(claims.stdout)).toMatchObject({
      verdict: 'bad',
      exitCode: 1,
      kind: 'report',
      evidence: 'simulated',
    });
    expect((await verify(file('key.json', { ...report, auditPublicKey }))).code).toBe(1);
    expect((await verify(file('again.json', report), '--nonce', 'beef')).code).toBe(1);
    const other = ['--measurement', `program=sim:${'cd'.repeat(32)}`];
    expect((await verify(file('program.json', report), ...other)).stdout).toContain(
      'another program or another version runs',
    );
  });

  test('exits with 2 when only the chain of a processor is missing [vault.attestation.verify.exit-codes]', async () => {
    const report = Buffer.alloc(1184);
    report.writeUInt32LE(3, 0);
    report.writeUInt32LE(1, 0x34);
    const { code, stdout } = await verify(file('snp.bin', report));
    expect(code).toBe(2);
    expect(stdout).toContain('give it with --chain');
    expect(stdout).toContain('INCOMPLETE');
  });

  test('asks a URL for a report with the nonce', async () => {
    const server = createServer(({ url = '' }, response) => {
      const nonce = new URL(url, 'http://vault').searchParams.get('nonce') ?? '';
      response.end(JSON.stringify(reportFor(nonce)));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const nonce = randomBytes(16).toString('hex');
    const { code, stdout } = await verify(`${origin}/api/v1/attestation/report`, '--nonce', nonce);
    server.close();
    expect(code).toBe(3);
    expect(stdout).toContain('it answers your nonce');
    expect(await verify(origin)).toMatchObject({ code: 64, stdout: '' });
  });

  test('says of what is no evidence that it is none, and exits with 1', async () => {
    for (const content of ['', '{}', 'hello', randomBytes(5000)]) {
      const { code, stdout, stderr } = await verify(file('nonsense', content));
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toMatch(/^BAD {5}this \w[^\n]*\nBAD: [^\n]*\n$/);
    }
  });

  test.each([
    ['no file', []],
    ['a file that is not there', ['nowhere.json']],
    ['a time that is none', ['x', '--at', 'soon']],
    ['a nonce that is not hex', ['x', '--nonce', 'xyz']],
    ['an unknown option', ['x', '--trust-me']],
  ])(
    '%s is one line on stderr, and decides nothing [vault.attestation.verify.exit-codes]',
    async (_what, args) => {
      const { code, stdout, stderr } = await verify(...args);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toMatch(/^attest verify: [^\n]+\n$/);
      const forPrograms = await verify(...args, '--json');
      expect(forPrograms).toMatchObject({ code: 64, stderr: '' });
      expect(JSON.parse(forPrograms.stdout)).toMatchObject({ verdict: 'none', exitCode: 64 });
    },
  );

  test('reads standard input, and evidence in base64 or hex as its bytes [vault.attestation.verify.bare-evidence]', async () => {
    const quote = Buffer.from(reportFor('').quote, 'base64');
    const asBytes = await verify(file('quote.bin', quote));
    const inLines = quote.toString('base64').replaceAll(/.{64}/g, '$&\n');
    for (const text of [
      quote.toString('base64'),
      inLines,
      quote.toString('base64url'),
      quote.toString('hex'),
    ])
      expect(await verify(file('quote.txt', text))).toEqual(asBytes);
    const { command, args } = countersign('attest', 'verify', '-');
    const { status, stdout } = spawnSync(command, args, { input: quote, encoding: 'utf8' });
    expect({ code: status, stdout, stderr: '' }).toEqual(asBytes);
  });
});
