import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reportFor } from '../../test/attestation-report.ts';
import { append, OpenLogs, origin, signer } from '../../test/open-logs.ts';
import { newSigner } from '../../test/sample-records.ts';
import { logIdOf } from '../checkpoint.ts';
import type { Signer } from '../keys.ts';
import type { Anchor } from '../anchored.ts';
import { type ProofBundle, signBundle } from '../proof-bundle.ts';
import { readTlogProof } from '../tlog-proof.ts';
import { verifyBundle } from './bundle.ts';
import { verdictOf } from './report.ts';

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

const verdict = (text: string, ...trusted: readonly Signer[]) =>
  verdictOf(
    verifyBundle(
      text,
      trusted.map(({ publicKey }) => publicKey),
    ),
  );
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
type Unsigned = Omit<ProofBundle, 'signature'>;

/** Three of nine records, with the root of the first five on chain. */
async function bundle(about: Partial<Anchor> | null = {}): Promise<Unsigned> {
  const log = await logs.open();
  const ids = [];
  for (let n = 0; n < 9; n += 1) ids.push((await append(log, { detail: { n } })).auditId);
  const records = [ids[0], ids[4], ids[8]].map((id = '') => {
    const record = log.find('tnt_a', id);
    const path = readTlogProof(log.proof('tnt_a', id) ?? '')?.path ?? [];
    if (record === null) throw new Error('no record');
    return { record, inclusion: path.map(hex) };
  });
  const anchor: Anchor = {
    chainId: 84532,
    contract: `0x${'ab'.repeat(20)}`,
    logId: `0x${hex(logIdOf(origin))}`,
    size: 5,
    root: `0x${hex(log.rootAt(5) ?? Buffer.alloc(0))}`,
    flags: 1,
    transactionHash: `0x${'cd'.repeat(32)}`,
    blockNumber: 12,
    consistency: (log.consistency(5, 9) ?? []).map(hex),
    ...about,
  };
  return {
    format: 'countersign-proof-bundle-v1',
    records,
    checkpoint: log.checkpoint(),
    anchor: about === null ? null : anchor,
    attestation: reportFor(signer),
  };
}

describe('a proof bundle', () => {
  test('proves its records with no help from outside, anchored or not yet', async () => {
    const text = signBundle(await bundle(), signer);
    expect(verdict(text)).toBe('simulated');
    expect(verdict(text, signer)).toBe('simulated');
    expect(verdict(`${text}\n`, signer)).toBe('simulated');
    expect(verdict(text, newSigner())).toBe('bad');
  });

  test('is good without an anchor too', async () => {
    expect(verdict(signBundle(await bundle(null), signer), signer)).toBe('simulated');
  });

  test('is refused with one changed byte, wherever it is', async () => {
    const text = signBundle(await bundle(), signer);
    for (let at = 0; at < text.length; at += 31) {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(verdict(bytes.toString(), signer)).toBe('bad');
    }
  });

  test('is good as a JSON library writes it anew, unless a member is in it twice [control-plane.audit.proof-bundle.rewritten]', async () => {
    const text = signBundle(await bundle(), signer);
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    expect(verdict(indented, signer)).toBe('simulated');
    const turned = Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed());
    expect(verdict(JSON.stringify(turned), signer)).toBe('simulated');
    expect(verdict(text.replaceAll('aud_', '\\u0061ud_'), signer)).toBe('simulated');
    for (const twice of ['"anchor":null,"anchor":', '"anchor": null,\n"anchor": '])
      expect(verdict(indented.replace('"anchor": ', twice), signer)).toBe('bad');
  });

  test('is bad when the log’s own key signs what is not so', async () => {
    const good = await bundle();
    const [first, second] = good.records;
    if (first === undefined || second === undefined) throw new Error('no records');
    const changes: Partial<Unsigned>[] = [
      { records: [{ ...first, inclusion: second.inclusion }] },
      { records: [{ ...first, record: { ...first.record, actor: 'user:other' } }] },
      { records: [{ ...first, record: { ...first.record, signature: second.record.signature } }] },
      { anchor: good.anchor && { ...good.anchor, root: `0x${'00'.repeat(32)}` } },
      { anchor: good.anchor && { ...good.anchor, size: 6 } },
      { anchor: good.anchor && { ...good.anchor, logId: `0x${'00'.repeat(32)}` } },
      { attestation: reportFor(newSigner()) },
    ];
    for (const change of changes)
      expect(verdict(signBundle({ ...good, ...change }, signer), signer)).toBe('bad');
  });

  test('without a report needs the key from the caller', async () => {
    const text = signBundle({ ...(await bundle()), attestation: null }, signer);
    expect(verdict(text)).toBe('incomplete');
    expect(verdict(text, signer)).toBe('simulated');
  });

  test('whose report cannot be read is bad without a key too [vault.audit.cli.change-found]', async () => {
    const text = signBundle(await bundle(), signer);
    expect(verdict(text.replace('"auditPublicKey":"', '"auditPublicKey":"!'))).toBe('bad');
    expect(verdict(text.replace('"hardware"', '"hardwarf"'))).toBe('bad');
  });
});
