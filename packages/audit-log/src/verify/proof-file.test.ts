import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { append, OpenLogs, signer } from '../../test/open-logs.ts';
import { newSigner } from '../../test/sample-records.ts';
import type { Signer } from '../keys.ts';
import { verifyProofFile } from './proof-file.ts';
import { verdictOf } from './report.ts';

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

const verdict = (text: string, ...trusted: readonly Signer[]) =>
  verdictOf(
    verifyProofFile(
      text,
      trusted.map(({ publicKey }) => publicKey),
    ),
  );

async function proofs(): Promise<readonly string[]> {
  const log = await logs.open({ tee: { kind: 'tdx', trust: 'hardware' } });
  const ids = [];
  for (let n = 0; n < 7; n += 1) ids.push((await append(log, { detail: { n } })).auditId);
  return ids.map((id) => log.proof('tnt_a', id) ?? '');
}

describe('a tlog-proof of one record', () => {
  test('is good with the log’s key, incomplete without, bad with another', async () => {
    for (const proof of await proofs()) {
      expect(verdict(proof, signer)).toBe('good');
      expect(verdict(proof)).toBe('incomplete');
      expect(verdict(proof, newSigner())).toBe('bad');
    }
  });

  test('is bad with any byte flipped', async () => {
    const [, , proof = ''] = await proofs();
    for (let at = 0; at < proof.length; at += 7) {
      const bytes = Buffer.from(proof);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(verdict(bytes.toString(), signer)).toBe('bad');
    }
  });

  test('is bad with the path or record of another', async () => {
    const [first = '', second = ''] = await proofs();
    const record = /^extra .*$/m;
    expect(verdict(first.replace(record, record.exec(second)?.[0] ?? ''), signer)).toBe('bad');
    expect(verdict(first.replace('index 0', 'index 1'), signer)).toBe('bad');
  });

  test('of a record from before a change of the key needs the older key too', async () => {
    const second = newSigner();
    const log = await logs.open({ tee: { kind: 'tdx', trust: 'hardware' } });
    const { auditId } = await append(log);
    await log.close();
    const later = await logs.open({ signer: second, previousSigner: signer });
    const proof = later.proof('tnt_a', auditId) ?? '';
    expect(verdict(proof, second)).toBe('incomplete');
    expect(verdict(proof, second, signer)).toBe('good');
    expect(verdict(proof, signer)).toBe('bad');
  });

  test('without a record of ours is incomplete', async () => {
    const [proof = ''] = await proofs();
    expect(verdict(proof.replace(/^extra .*\n/m, ''), signer)).toBe('incomplete');
  });
});
