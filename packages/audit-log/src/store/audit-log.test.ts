import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { append, exported, OpenLogs, origin, signer } from '../../test/open-logs.ts';
import { draft, simulated } from '../../test/sample-records.ts';
import { firstPrevChainHash } from '../chain.ts';
import { beforeFirst, isSigned, linkProblem, readRecord } from '../chain-check.ts';
import { isConsistent } from '../proof.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { noteKey } from '../signed-note.ts';
import { isHeadSigned, tenantHead } from '../tenant-head.ts';
import { checkTlogProof, readTlogProof } from '../tlog-proof.ts';
import { leafHash } from '../tree-hash.ts';

const keys = [noteKey(origin, signer.publicKey)];

let logs: OpenLogs;

beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

describe('an open log', () => {
  test('chains each tenant by itself and gives each record its leaf [vault.audit.tree.one-per-deployment]', async () => {
    const log = await logs.open();
    const a1 = await append(log);
    const b1 = await append(log, { tenantId: 'tnt_b' });
    const a2 = await append(log);

    expect([a1, b1, a2].map(({ tenantId, seq, leafIndex }) => [tenantId, seq, leafIndex])).toEqual([
      ['tnt_a', 1, 0],
      ['tnt_b', 1, 1],
      ['tnt_a', 2, 2],
    ]);
    expect([a1.prevChainHash, b1.prevChainHash, a2.prevChainHash]).toEqual([
      firstPrevChainHash,
      firstPrevChainHash,
      a1.chainHash,
    ]);
    expect(a2).toMatchObject({ ...draft(), at: '2026-11-21T10:00:00.000Z', tee: simulated });
  });

  test('goes on after a restart where it stopped', async () => {
    const log = await logs.open();
    const records = [await append(log), await append(log, { tenantId: 'tnt_b' })];
    const { root } = log.head;
    await log.close();

    const again = await logs.open();
    expect(again.head).toEqual({ origin, size: 2, root });
    expect(records.map(({ tenantId, auditId }) => again.find(tenantId, auditId))).toEqual(records);
    expect(await append(again)).toMatchObject({ seq: 2, leafIndex: 2, prevChainHash: records[0]?.chainHash });
  });

  test('takes hundreds of callers at once without a gap, a double or a tangle', async () => {
    const log = await logs.open();
    const tenants = ['tnt_a', 'tnt_b', 'tnt_c'];
    await Promise.all(
      Array.from({ length: 600 }, (_, i) => append(log, { tenantId: tenants[i % 3] ?? '', detail: { i } })),
    );
    expect(log.head.size).toBe(600);
    for (const tenantId of tenants) {
      const lines = (await exported(log, tenantId)).slice(0, -1);
      expect(lines.length).toBe(200);
      let before = beforeFirst(tenantId);
      for (const line of lines) {
        const sealed = readRecord(line);
        if (sealed === null) throw new Error(`not a record: ${line}`);
        expect(linkProblem(sealed, before)).toBeNull();
        expect(isSigned(sealed.record, signer.publicKey)).toBe(true);
        before = sealed.record;
      }
    }
  });

  test('proves each record in its checkpoint, offline', async () => {
    const log = await logs.open();
    for (let i = 0; i < 9; i += 1) await append(log, { detail: { i } });
    for (const { auditId } of log.query({ tenantId: 'tnt_a' }, { limit: 50, offset: 0 }).items) {
      const proof = readTlogProof(log.proof('tnt_a', auditId) ?? '');
      const text = proof?.extra ?? Buffer.alloc(0);
      expect(readRecord(text.toString())?.record.auditId).toBe(auditId);
      expect(proof && checkTlogProof(proof, leafHash(text), keys)).toMatchObject({
        ok: true,
        value: { size: 9 },
      });
    }
  });

  test('proves that it only grew', async () => {
    const log = await logs.open();
    const heads = [];
    for (let i = 0; i < 12; i += 1) {
      await append(log);
      heads.push(log.head);
    }
    for (const from of heads)
      for (const to of heads.slice(from.size - 1))
        expect(isConsistent(from, to, log.consistency(from.size, to.size) ?? [])).toBe(true);
    expect(log.consistency(0, 5)).toBeNull();
    expect(log.consistency(6, 5)).toBeNull();
    expect(log.consistency(5, 13)).toBeNull();
  });

  test('shows a tenant nothing of another', async () => {
    const log = await logs.open();
    const { auditId } = await append(log, { tenantId: 'tnt_b' });
    await append(log);
    expect(log.find('tnt_a', auditId)).toBeNull();
    expect(log.proof('tnt_a', auditId)).toBeNull();
    expect(await log.verify('tnt_a', auditId)).toBeNull();
    expect((await exported(log, 'tnt_a')).join('')).not.toContain('tnt_b');
  });

  test.each(['', 'aud_0_0', 'aud_00000000_0', 'aud_x', '__proto__'])('%j is no id of it', async (auditId) => {
    const log = await logs.open();
    await append(log);
    expect(log.find('tnt_a', auditId)).toBeNull();
  });

  test('exports with a signed end, also for a tenant without records', async () => {
    const log = await logs.open();
    const { chainHash } = await append(log);
    const last = JSON.parse((await exported(log, 'tnt_a')).at(-1) ?? '') as Record<string, unknown>;
    expect(Object.keys(last)).toEqual(['checkpoint', 'tenantHead', 'attestation', 'inclusion', 'anchor']);
    const head = tenantHead.parse(last['tenantHead']);
    expect(head).toMatchObject({ tenantId: 'tnt_a', seq: 1, chainHash, at: '2026-11-21T10:00:00.000Z' });
    const given = { attestation: null, checkpoint: String(last['checkpoint']) };
    expect(isHeadSigned(head, given, signer.publicKey)).toBe(true);
    expect(isHeadSigned({ ...head, seq: 0 }, given, signer.publicKey)).toBe(false);
    expect(isHeadSigned(head, { attestation: null }, signer.publicKey)).toBe(false);
    const [only = ''] = await exported(log, 'tnt_new');
    expect(JSON.parse(only)).toMatchObject({ tenantHead: { seq: 0, chainHash: firstPrevChainHash } });
  });

  test('refuses what no verifier could read, and only that', async () => {
    const log = await logs.open();
    const bad = [
      draft({ detail: { reason: '\ud800' } }),
      draft({ detail: { text: 'x'.repeat(66_000) } }),
      draft({ actor: '' }),
      draft({ agentDid: 'did:\n' }),
    ];
    const results = await Promise.all([...bad, draft()].map((each) => log.append(each)));
    expect(results.slice(0, 4).map((each) => (each.ok ? null : each.error.code))).toEqual(
      bad.map(() => 'AUDIT_RECORD_INVALID'),
    );
    expect(results[4]).toMatchObject({ ok: true, value: { seq: 1, leafIndex: 0 } });
  });

  test('fails as a value while the signer is dead, and goes on without a gap [vault.audit.store.dead-signer]', async () => {
    let isDead = false;
    const sign = (bytes: Uint8Array) => {
      if (isDead) throw new Error('the key is gone');
      return signer.sign(bytes);
    };
    const log = await logs.open({ signer: { ...signer, sign } });
    await append(log);
    isDead = true;
    expect(await log.append(draft())).toEqual({
      ok: false,
      error: { code: 'AUDIT_UNAVAILABLE', reason: 'the signer failed: the key is gone' },
    });
    isDead = false;
    expect(await append(log)).toMatchObject({ seq: 2, leafIndex: 1 });
  });

  test('writes down the clock as it is, even when it goes back', async () => {
    const log = await logs.open();
    await append(log);
    logs.clock -= 3_600_000;
    expect((await append(log)).at).toBe('2026-11-21T09:00:00.000Z');
  });
});

describe('a query', () => {
  const pick = (...values: string[]) => fc.constantFrom(...values);
  const subject = fc.record(
    {
      tenantId: pick('tnt_a', 'tnt_b'),
      sessionId: pick('s1', 's2', 's3'),
      credentialId: pick('c1', 'c2'),
      agentDid: pick('did:a', 'did:b'),
    },
    { requiredKeys: ['tenantId'] },
  );
  const times = fc.record(
    { from: fc.integer({ min: 0, max: 80 }), to: fc.integer({ min: 0, max: 80 }) },
    { requiredKeys: [] },
  );
  const page = fc.record({ limit: fc.integer({ min: 1, max: 20 }), offset: fc.nat(30) });

  test('gives what a plain filter over all records gives, newest first', async () => {
    const log = await logs.open();
    const subjects = fc.sample(subject, { numRuns: 80, seed: 7 });
    const all: AuditRecord[] = [];
    for (const [i, about] of subjects.entries()) {
      logs.clock = i;
      const { sessionId: _s, credentialId: _c, agentDid: _a, ...bare } = draft();
      const appended = await log.append({ ...bare, ...about });
      if (appended.ok) all.unshift(appended.value);
    }
    fc.assert(
      fc.property(subject, times, page, (about, { from, to }, { limit, offset }) => {
        const matching = all.filter(
          (record) =>
            Object.entries(about).every(([key, value]) => record[key as keyof AuditRecord] === value) &&
            Date.parse(record.at) >= (from ?? 0) &&
            Date.parse(record.at) <= (to ?? 80),
        );
        const filter = { ...about, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
        expect(log.query(filter, { limit, offset })).toEqual({
          items: matching.slice(offset, offset + limit),
          total: matching.length,
        });
      }),
    );
  });
});
