import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reportFor } from '../../test/attestation-report.ts';
import { append, exported, OpenLogs, origin, signer } from '../../test/open-logs.ts';
import { newSigner } from '../../test/sample-records.ts';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Anchor } from '../anchored.ts';
import { type SealedRecord, seal } from '../chain.ts';
import { exportEnd } from '../export-end.ts';
import type { Signer } from '../keys.ts';
import { signNote } from '../signed-note.ts';
import type { AuditLog } from '../store/audit-log.ts';
import { leafHash } from '../tree-hash.ts';
import { signTenantHead, type TenantHead } from '../tenant-head.ts';
import { verifyExport } from './export.ts';
import { type Report, stepText, verdictOf } from './report.ts';

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

const hardware = { kind: 'tdx', trust: 'hardware' } as const;

/** An export of so many records, as the enclave would give it. */
async function exportOf(count: number, report: Partial<Attestation> | null = {}, tee?: typeof hardware) {
  const log = await logs.open(tee === undefined ? {} : { tee });
  for (let n = 1; n <= count; n += 1) {
    await append(log, { detail: { n } });
    await append(log, { tenantId: 'tnt_b' });
  }
  return exported(log, 'tnt_a', report === null ? null : reportFor(signer, report));
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
const verify = (lines: readonly string[], ...trusted: readonly Signer[]): Promise<Report> =>
  verifyExport(
    () => each(lines),
    trusted.map(({ publicKey }) => publicKey),
  );
const verdict = async (lines: readonly string[], ...trusted: readonly Signer[]) =>
  verdictOf(await verify(lines, ...trusted));
const wrong = ({ steps }: Report) =>
  steps
    .filter(({ outcome }) => outcome === 'fails')
    .map(({ what, line }) => (line ? `${line}: ${what}` : what));
const lastOf = (lines: readonly string[]) =>
  JSON.parse(lines.at(-1) ?? '') as Record<'checkpoint' | 'tenantHead' | 'attestation' | 'inclusion', object>;
/** The same records, another end. */
const withLast = (lines: readonly string[], last: object): string[] => [
  ...lines.slice(0, -1),
  canonicalize(last) ?? '',
];

/** The newest root as a chain would tell it. */
const onChainOf = ({ head: { size, root } }: AuditLog) => ({
  chainId: 84_532,
  contract: `0x${'ab'.repeat(20)}`,
  size,
  root: `0x${root.toString('hex')}`,
  flags: 1,
  transactionHash: `0x${'cd'.repeat(32)}`,
  blockNumber: 7,
});

/** The same records with something else in them, in a chain that the log's own key signs. */
function rewritten(texts: readonly string[]): readonly SealedRecord[] {
  const chain: SealedRecord[] = [];
  for (const text of texts) {
    const { chainHash: _, signature: __, ...body } = JSON.parse(text) as AuditRecord;
    const prevChainHash = chain.at(-1)?.record.chainHash ?? body.prevChainHash;
    chain.push(seal({ ...body, detail: { amount: 99 }, prevChainHash }, signer));
  }
  return chain;
}

describe('an export', () => {
  test('is good, but simulated; with the log’s key as with its own', async () => {
    const lines = await exportOf(4);
    const report = await verify(lines, signer);
    expect(verdictOf(report)).toBe('simulated');
    expect(report.steps.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 8 }, () => 'holds'),
      'told',
    ]);
    expect(await verdict(lines)).toBe('simulated');
  });

  test('of real hardware is good with the log’s key, and incomplete as long as nobody checked the quote', async () => {
    const lines = await exportOf(2, { provider: 'tdx', hardware: true }, hardware);
    expect(await verdict(lines, signer)).toBe('good');
    expect(await verdict(lines)).toBe('incomplete');
  });

  test('without a report is incomplete, unless the caller has the key', async () => {
    const lines = await exportOf(2, null, hardware);
    expect(await verdict(lines)).toBe('incomplete');
    expect(await verdict(lines, signer)).toBe('good');
  });

  test('of no records is good too', async () => {
    expect(await verdict(await exportOf(0), signer)).toBe('simulated');
  });

  test.each([3, 0])(
    'of %s records without the proof that it is in the tree is incomplete: its records may have been written anew',
    async (count) => {
      const lines = await exportOf(count);
      const { checkpoint, tenantHead: newest, attestation } = lastOf(lines);
      const last = { checkpoint, tenantHead: newest, attestation };
      expect(await verdict(withLast(lines, last), signer)).toBe('bad');
      // As exports were made before, with the checkpoint signed for itself.
      const { signature: _, ...head } = newest as TenantHead;
      const tenantHead = signTenantHead(head, { attestation }, signer);
      const older = withLast(lines, { ...last, tenantHead });
      expect(await verdict(older, signer)).toBe('incomplete');
      expect(await verdict(withLast(lines, { ...lastOf(lines), tenantHead }), signer)).toBe('bad');
    },
  );

  test('with a root on chain leads to it, however many records came after', async () => {
    const log = await logs.open();
    for (let n = 0; n < 5; n += 1) await append(log);
    const onChain = onChainOf(log);
    for (let n = 0; n < 4; n += 1) await append(log);
    const lines = await exported(log, 'tnt_a', reportFor(signer), onChain);
    const report = await verify(lines, signer);
    expect(verdictOf(report)).toBe('simulated');
    expect(report.head).toMatchObject({ size: 5, root: log.rootAt(5) });
    const foreign = { ...onChain, root: `0x${'07'.repeat(32)}` };
    const [last = ''] = (await exported(log, 'tnt_a', null, foreign)).slice(-1);
    expect(JSON.parse(last)).toMatchObject({ anchor: null });
  });

  test('without its last line is incomplete: nobody knows what was dropped', async () => {
    const lines = await exportOf(3);
    expect(await verdict(lines.slice(0, -1), signer)).toBe('incomplete');
    expect(await verdict([], signer)).toBe('incomplete');
  });
});

describe('an export in which', () => {
  test('a record is changed, dropped, doubled or moved is bad, at its line [vault.audit.cli.change-found]', async () => {
    const lines = await exportOf(6);
    for (let i = 0; i < 6; i += 1) {
      const [line = '', next = ''] = lines.slice(i);
      const first = async (changed: readonly string[]) => wrong(await verify(changed, signer))[0];
      expect(await first(lines.with(i, line.replace('"detail":{"n":', '"detail":{"n":1')))).toBe(
        `${i + 1}: the chain hash does not follow from the record: something in it was changed`,
      );
      expect(await first(lines.with(i, `${line} `))).toBe(
        `${i + 1}: this is not a record, or it was changed`,
      );
      expect(await first(lines.toSpliced(i, 0, line))).toMatch(new RegExp(`^${i + 2}: `));
      if (i === 5) continue;
      const order = 'an earlier record is missing, duplicated or out of place';
      expect(await first(lines.toSpliced(i, 1))).toBe(`${i + 1}: ${order}`);
      expect(await first(lines.toSpliced(i, 2, next, line))).toBe(`${i + 1}: ${order}`);
    }
  });

  test('all records are written anew, with the log’s own key, beside the genuine checkpoint is bad [vault.audit.cli.rewritten]', async () => {
    const log = await logs.open();
    for (let n = 1; n <= 4; n += 1) await append(log, { detail: { amount: 10 } });
    const attestation = reportFor(signer);
    const lines = await exported(log, 'tnt_a', attestation, onChainOf(log));
    const forged = rewritten(lines.slice(0, -1));
    const { chainHash = '' } = forged.at(-1)?.record ?? {};
    const at = '2026-11-21T10:00:00.000Z';
    const head = signTenantHead(
      { tenantId: 'tnt_a', seq: 4, chainHash, at },
      { attestation, checkpoint: exportEnd.parse(lastOf(lines)).checkpoint },
      signer,
    );
    const texts = [...forged.map(({ text }) => text), ''];
    const file = withLast(texts, { ...lastOf(lines), tenantHead: head });
    expect(wrong(await verify(file, signer))).toEqual([
      'the records are not the ones in the tree of the checkpoint: they were rewritten',
    ]);
  });

  test('the root on chain is another’s, or does not lead to the checkpoint, is bad', async () => {
    const log = await logs.open();
    for (let n = 0; n < 3; n += 1) await append(log);
    const onChain = onChainOf(log);
    await append(log);
    const lines = await exported(log, 'tnt_a', reportFor(signer), onChain);
    const { anchor } = lastOf(lines) as unknown as { anchor: Anchor };
    const zeros = '00'.repeat(32);
    for (const about of [
      { root: `0x${zeros}` },
      { logId: `0x${zeros}` },
      { size: 2 },
      { consistency: [zeros] },
    ]) {
      const changed = withLast(lines, { ...lastOf(lines), anchor: { ...anchor, ...about } });
      expect(wrong(await verify(changed, signer))).toEqual([
        'the root that is said to be on chain is not of the same tree',
      ]);
    }
  });

  test('the newest record is dropped is bad', async () => {
    const lines = await exportOf(3);
    expect(wrong(await verify(lines.toSpliced(2, 1), signer))).toEqual([
      'the newest records are missing: the log had 3 at 2026-11-21T10:00:00.000Z',
    ]);
    expect(wrong(await verify(lines.slice(3), signer))).toHaveLength(1);
  });

  test('any value of the report at its end is changed is bad, with a key and without [vault.audit.cli.change-found]', async () => {
    const lines = await exportOf(2);
    const { attestation, ...last } = lastOf(lines);
    for (const key of Object.keys(attestation)) {
      for (const value of ['AAAA', undefined]) {
        const changed = withLast(lines, { ...last, attestation: { ...attestation, [key]: value } });
        expect([key, await verdict(changed, signer)]).toEqual([key, 'bad']);
        expect([key, await verdict(changed)]).toEqual([key, 'bad']);
      }
    }
  });

  test('the end is put together from an older export is bad', async () => {
    const log = await logs.open();
    await append(log);
    const older = await exported(log, 'tnt_a', reportFor(signer));
    await append(log);
    const newer = await exported(log, 'tnt_a', reportFor(signer));
    expect(await verdict([...newer.slice(0, -1), older.at(-1) ?? ''])).toBe('bad');
    const mixed = withLast(newer, { ...lastOf(newer), checkpoint: lastOf(older).checkpoint });
    expect(wrong(await verify(mixed))).toContain('the checkpoint is older than the last record');
    // Nor does what was dropped look fresh: the path of the older end is true in the newer tree.
    const [, newest = ''] = newer;
    const inclusion = log.exportEnd('tnt_a', null, null).inclusion;
    expect(inclusion).toHaveLength(1);
    const path = [leafHash(newest).toString('hex')];
    const { checkpoint } = lastOf(newer);
    const dropped = withLast(older, { ...lastOf(older), checkpoint, inclusion: path });
    expect(wrong(await verify(dropped))).toEqual([
      'the log did not sign the last line’s chain end, checkpoint and attestation report together',
    ]);
  });

  test('the end is signed for another tenant, or by another key, is bad', async () => {
    const lines = await exportOf(2);
    const forger = newSigner();
    const last = lastOf(lines);
    const withHead = (head: object) =>
      withLast(lines, { ...last, tenantHead: { ...last.tenantHead, ...head } });
    expect(await verdict(withHead({ tenantId: 'tnt_b' }))).toBe('bad');
    expect(await verdict(withHead({ seq: 1 }))).toBe('bad');
    const note = signNote(`${origin}\n9\n${Buffer.alloc(32).toString('base64')}\n`, origin, forger);
    expect(wrong(await verify(withLast(lines, { ...last, checkpoint: note })))).toContain(
      'the checkpoint is not signed by the log',
    );
  });

  test('everything is signed by another key than the caller’s is bad', async () => {
    expect(await verdict(await exportOf(2), newSigner())).toBe('bad');
  });

  test('the report is of another key, or not bound to its own, is bad [vault.audit.chain.signature]', async () => {
    const lines = await exportOf(2);
    const withReport = (attestation: unknown) =>
      verify(withLast(lines, { ...lastOf(lines), attestation }), signer);
    expect(verdictOf(await withReport(reportFor(signer)))).toBe('simulated');
    for (const report of [
      reportFor(newSigner()),
      reportFor(signer, { nonce: 'ab' }),
      reportFor(signer, { reportData: createHash('sha512').update('x').digest('hex') }),
      { provider: 'simulated' },
      'none',
    ])
      expect(verdictOf(await withReport(report))).toBe('bad');
  });

  test('any byte of a record line is flipped is bad', async () => {
    const lines = await exportOf(2);
    const bytes = Buffer.from(lines[1] ?? '');
    for (let at = 0; at < bytes.length; at += 13) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(await verdict(lines.with(1, flipped.toString()), signer)).toBe('bad');
    }
  });

  test('hundreds of lines are wrong tells twenty of them', async () => {
    const lines = await exportOf(60);
    const told = wrong(await verify(lines.map((line) => line.replace('nightly', '')).with(3, ''), signer));
    expect(told.length).toBeLessThanOrEqual(22);
  });
});

describe('an export over a change of the key', () => {
  const second = newSigner();
  const third = newSigner();
  const rotated = async () => {
    for (const [i, key] of [signer, second, third].entries()) {
      const previous = [signer, signer, second][i];
      const log = await logs.open({ signer: key, ...(previous && { previousSigner: previous }) });
      await append(log, { detail: { i } });
      if (i === 2) return exported(log, 'tnt_a', reportFor(third));
      await log.close();
    }
    return [];
  };

  test('is good for whoever trusts any of the keys, and bad for others [vault.audit.cli.rotated]', async () => {
    const lines = await rotated();
    expect(lines).toHaveLength(6);
    for (const trusted of [[signer], [second], [third], []])
      expect(await verdict(lines, ...trusted)).toBe('simulated');
    expect(await verdict(lines, newSigner())).toBe('bad');
  });

  test('is bad without the record that tells of it', async () => {
    const lines = await rotated();
    expect(await verdict(lines.toSpliced(1, 1), signer)).toBe('bad');
    expect(await verdict(lines.toSpliced(1, 1), third)).toBe('bad');
  });
});

test('a step shows no character that turns the reading order or is not seen', () => {
  expect(stepText({ outcome: 'fails', what: 'record a\u202eb\u200bc is not there' })).toBe(
    'BAD     record a?b?c is not there',
  );
});
