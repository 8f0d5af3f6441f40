import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportDataOf } from '@countersign/audit-log/attestation';
import { localSigner, publicKeyText } from '@countersign/audit-log/keys';
import { signBundle } from '@countersign/audit-log/proof-bundle';
import { noteKey, verifierKeyText } from '@countersign/audit-log/signed-note';
import type { Tee } from '@countersign/protocol/vault/audit-record';
import { openAuditLog } from '@countersign/audit-log/store/open';
import { readTlogProof } from '@countersign/audit-log/tlog-proof';
import { countersign } from '../fixtures/countersign.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const signer = localSigner(generateKeyPairSync('ed25519').privateKey);
const key = publicKeyText(signer.publicKey);
const otherKey = publicKeyText(generateKeyPairSync('ed25519').publicKey);

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'audit-verify-'));
  await writeFiles('simulated', { kind: 'simulated', trust: 'simulated' });
  await writeFiles('tdx', { kind: 'tdx', trust: 'hardware' });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** An export, a proof and a bundle of a log with five records of one tenant. */
async function writeFiles(name: string, tee: Tee): Promise<void> {
  const options = { dir: join(dir, name), origin: `log.example/${name}`, tee, signer, now: Date.now };
  const log = await openAuditLog(options);
  if (!log.ok) throw new Error(log.error.reason);
  const ids: string[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const appended = await log.value.append({
      tenantId: 'tnt_1',
      eventType: 'credential_access',
      actor: 'user:usr_1',
      detail: { reason: `report ${n}` },
    });
    if (appended.ok) ids.push(appended.value.auditId);
  }
  const sealPublicKey = Buffer.alloc(65, 4).toString('base64');
  const attestation = {
    provider: tee.kind,
    hardware: tee.trust === 'hardware',
    quote: '',
    reportData: reportDataOf({ auditPublicKey: key, nonce: '', sealPublicKey }),
    measurements: {},
    auditPublicKey: key,
    sealPublicKey,
    nonce: '',
    createdAt: new Date().toISOString(),
  };
  const lines: string[] = [];
  for await (const line of log.value.exportLines('tnt_1', attestation)) lines.push(`${line}\n`);
  const proof = log.value.proof('tnt_1', ids[1] ?? '') ?? '';
  const record = log.value.find('tnt_1', ids[1] ?? '');
  const inclusion = readTlogProof(proof)?.path.map((hash) => hash.toString('hex')) ?? [];
  if (record === null) throw new Error('no record');
  const bundle = {
    format: 'countersign-proof-bundle-v1' as const,
    records: [{ record, inclusion }],
    checkpoint: log.value.checkpoint(),
    anchor: null,
    attestation,
  };
  write(`${name}.jsonl`, lines.join(''));
  write(`${name}.tlog-proof`, proof);
  write(`${name}.bundle`, signBundle(bundle, signer));
  await log.value.close();
}

const write = (name: string, text: string | Buffer) => writeFileSync(join(dir, name), text);
const linesOf = (name: string) => readFileSync(join(dir, name), 'utf8').split(/(?<=\n)/);

function verify(file: string, ...options: readonly string[]) {
  const { command, args } = countersign('audit', 'verify', join(dir, file), ...options);
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(command, [...args], { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('countersign audit verify', () => {
  test.each([
    ['an export of hardware, with the key', 'tdx.jsonl', key, 0, 'GOOD: '],
    ['an export with another key', 'tdx.jsonl', otherKey, 1, 'BAD: '],
    ['an export of hardware, without a key', 'tdx.jsonl', null, 2, 'INCOMPLETE: '],
    ['a simulated export', 'simulated.jsonl', key, 3, 'GOOD, BUT SIMULATED: '],
    ['a simulated export, by its own key', 'simulated.jsonl', null, 3, 'GOOD, BUT SIMULATED: '],
    ['a proof of hardware', 'tdx.tlog-proof', key, 0, 'GOOD: '],
    ['a proof with another key', 'tdx.tlog-proof', otherKey, 1, 'BAD: '],
    ['a proof without a key', 'tdx.tlog-proof', null, 2, 'INCOMPLETE: '],
    ['a simulated proof', 'simulated.tlog-proof', key, 3, 'GOOD, BUT SIMULATED: '],
    ['a bundle of hardware', 'tdx.bundle', key, 0, 'GOOD: '],
    ['a simulated bundle', 'simulated.bundle', null, 3, 'GOOD, BUT SIMULATED: '],
  ])(
    '%s [vault.audit.cli.exit-codes] [vault.audit.cli.verify-proof] [control-plane.audit.proof-bundle.verify]',
    async (_what, file, trusted, code, ending) => {
      const said = await verify(file, ...(trusted === null ? [] : ['--key', trusted]));
      expect(said.code).toBe(code);
      expect(said.stdout).toContain(`\n${ending}`);
      expect(said.stderr).toBe('');
    },
  );

  test('says in plain words what it checked', async () => {
    const { stdout } = await verify('simulated.jsonl', '--key', key);
    expect(stdout).toMatch(
      /^ok {6}5 records of tnt_1, 1 to 5, none missing, from \S+ to \S+\nok {6}every chain hash follows/,
    );
    expect(stdout).toContain(`ok      the key is the one you gave, ${key}\n`);
    expect(stdout).toContain('note    the TEE is simulated');
  });

  test('an export whose newest record was dropped is bad, and it says so [vault.audit.export.dropped-newest]', async () => {
    write('dropped.jsonl', linesOf('tdx.jsonl').toSpliced(4, 1).join(''));
    const { code, stdout } = await verify('dropped.jsonl', '--key', key);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^BAD {5}the newest records are missing: the log had 5 at /m);
  });

  test('--json says the same to programs, with the line', async () => {
    write('changed.jsonl', linesOf('tdx.jsonl').join('').replace('report 3', 'report 9'));
    const { code, stdout } = await verify('changed.jsonl', '--key', key, '--json');
    expect(code).toBe(1);
    const said = JSON.parse(stdout) as { steps: readonly object[] };
    expect(said).toMatchObject({ verdict: 'bad', exitCode: 1, kind: 'export' });
    const what = 'the chain hash does not follow from the record: something in it was changed';
    expect(said.steps[0]).toEqual({ outcome: 'fails', line: 3, what });
  });

  test.each(['tdx.jsonl', 'tdx.tlog-proof', 'tdx.bundle'])(
    '%s with a byte changed anywhere is never good',
    async (file) => {
      const bytes = readFileSync(join(dir, file));
      for (let at = 3; at < bytes.length; at += Math.ceil(bytes.length / 9)) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        write('flipped', changed);
        // The report at the end of an export is the hardware's to vouch for, and its quote is not checked here.
        const isReport = file === 'tdx.jsonl' && at > bytes.lastIndexOf('"attestation"');
        const allowed = isReport ? [0, 1, 2] : [1, 2];
        expect(allowed).toContain((await verify('flipped', '--key', key)).code);
      }
    },
  );

  test.each([
    ['no file', []],
    ['a file that is not there', ['nowhere.jsonl']],
    ['a key that is none', ['tdx.jsonl', '--key', 'AAAA']],
    ['an unknown option', ['tdx.jsonl', '--trust-me']],
  ])(
    '%s is one line on stderr, and decides nothing [vault.audit.cli.exit-codes]',
    async (_what, [file, ...options]) => {
      const { command, args } = countersign(
        'audit',
        'verify',
        ...(file === undefined ? [] : [join(dir, file)]),
        ...options,
      );
      const said = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
        execFile(command, [...args], (error, stdout, stderr) =>
          resolve({ code: error?.code, stdout, stderr }),
        );
      });
      expect(said).toMatchObject({ code: 64, stdout: '' });
      expect(said.stderr).toMatch(/^audit verify: [^\n]+\n$/);
    },
  );

  test('--json is JSON where nothing was judged, too [vault.audit.cli.stranger]', async () => {
    const { code, stdout, stderr } = await verify('nowhere.jsonl', '--json');
    expect({ code, stderr }).toEqual({ code: 64, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'none', exitCode: 64 });
  });

  test('- reads standard input [vault.audit.cli.stranger]', async () => {
    const { command, args } = countersign('audit', 'verify', '-', '--key', key);
    const input = readFileSync(join(dir, 'tdx.jsonl'));
    const { status, stdout } = spawnSync(command, args, { input, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: (await verify('tdx.jsonl', '--key', key)).stdout,
    });
  });

  test('--key takes a verifier key of C2SP, for the log that it names alone [vault.audit.cli.stranger]', async () => {
    const named = (name: string) => verifierKeyText(noteKey(name, signer.publicKey));
    expect(await verify('tdx.jsonl', '--key', named('log.example/tdx'))).toMatchObject({ code: 0 });
    expect(await verify('tdx.jsonl', '--key', named('log.example/other'), '--key', otherKey)).toMatchObject({
      code: 1,
    });
    const other = await verify('tdx.jsonl', '--key', named('log.example/other'));
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('but the key you gave belongs to'),
    });
  });
});
