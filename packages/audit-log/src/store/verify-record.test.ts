import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { append, OpenLogs } from '../../test/open-logs.ts';
import type { AuditLog } from './audit-log.ts';

let logs: OpenLogs;

beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

/** Changes what is on the disk under an open log, without a change of length. */
function tamper(from: string, to: string): void {
  expect(to.length).toBe(from.length);
  const [file = ''] = readdirSync(join(logs.dir, 'segments'));
  const path = join(logs.dir, 'segments', file);
  const at = readFileSync(path).indexOf(from);
  expect(at).toBeGreaterThan(0);
  const fd = openSync(path, 'r+');
  writeSync(fd, to, at);
  closeSync(fd);
}

const check = async (log: AuditLog, tenantId: string, auditIds: readonly string[]) => {
  const short = [];
  for (const auditId of auditIds) {
    const verified = await log.verify(tenantId, auditId);
    expect(verified?.auditId).toBe(auditId);
    const { signatureValid, chainHashValid, merklePathValid } = verified ?? {};
    short.push(
      [signatureValid, chainHashValid, merklePathValid].map((valid) => (valid ? '+' : '-')).join(''),
    );
  }
  return short;
};

describe('verifying a record from what is on disk', () => {
  const write = async () => {
    const log = await logs.open();
    const [a, b] = [[] as string[], [] as string[]];
    for (let n = 1; n <= 4; n += 1) {
      a.push((await append(log, { detail: { note: `note ${n}` } })).auditId);
      b.push((await append(log, { tenantId: 'tnt_b', detail: { n } })).auditId);
    }
    return { log, a, b };
  };

  test('an untouched one is good in all three ways', async () => {
    const { log, a, b } = await write();
    expect(await check(log, 'tnt_a', a)).toEqual(['+++', '+++', '+++', '+++']);
    expect(await check(log, 'tnt_b', b)).toEqual(['+++', '+++', '+++', '+++']);
  });

  test('a changed one breaks the chain for itself and all later ones of its tenant', async () => {
    const { log, a, b } = await write();
    tamper('note 2', 'note X');
    expect(await check(log, 'tnt_a', a)).toEqual(['+++', '+--', '+-+', '+-+']);
    expect(await check(log, 'tnt_b', b)).toEqual(['+++', '+++', '+++', '+++']);
  });

  test('a changed signature is told as such', async () => {
    const { log, a } = await write();
    const { signature = '' } = log.find('tnt_a', a[2] ?? '') ?? {};
    const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    tamper(signature, other);
    expect(await check(log, 'tnt_a', a)).toEqual(['+++', '+++', '-+-', '+++']);
  });

  test('one that is no JSON any more is bad in all three ways', async () => {
    const { log, a } = await write();
    tamper('"note":"note 1"', '               ');
    expect(await check(log, 'tnt_a', a)).toEqual(['---', '+-+', '+-+', '+-+']);
  });
});
