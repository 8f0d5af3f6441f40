import type { Tee } from '@countersign/protocol/vault/audit-record';
import { publicKeyText, type Signer } from '@countersign/audit-log/keys';
import { signBundleOf } from '@countersign/audit-log/proof-bundle';
import { reportFor } from '../../../packages/audit-log/test/attestation-report.ts';
import { endedRecord } from '../../../packages/audit-log/test/execution-receipt.ts';
import { append, exported, OpenLogs } from '../../../packages/audit-log/test/open-logs.ts';
import { newSigner } from '../../../packages/audit-log/test/sample-records.ts';

const hardware: Tee = { kind: 'tdx', trust: 'hardware' };

/** What a log gave out, and its keys: the first one, and the one that signs now. */
export type Files = {
  readonly first: string;
  readonly now: string;
  readonly signer: Signer;
  readonly export: string;
  readonly proof: string;
  readonly bundle: string;
  /** The checkpoint from before the newest records. */
  readonly olderCheckpoint: string;
};

/** The files of a new log in hardware: records of two tenants, a change of the key, receipts, and a root on chain. */
export async function newFiles(): Promise<Files> {
  const logs = new OpenLogs();
  const [before, signer] = [newSigner(), newSigner()];
  const begun = await logs.open({ signer: before, tee: hardware });
  for (const tenantId of ['tnt_a', 'tnt_b', 'tnt_a', 'tnt_a', 'tnt_b']) await append(begun, { tenantId });
  const onChain = { ...place, size: begun.head.size, root: `0x${begun.head.root.toString('hex')}` };
  const olderCheckpoint = begun.checkpoint();
  await begun.close();
  const log = await logs.open({ signer, previousSigner: before, tee: hardware });
  const detail = { '10': 1, '9': 2, note: '"é", €, 𝄞, \u2028, \u0001', small: 1e-7, large: 1e21, exact: 0.1 };
  const ids = [await append(log, endedRecord(signer)), await append(log, { detail })];
  await append(log, { tenantId: 'tnt_b' });
  ids.push(await append(log, { sessionId: undefined, detail: {} }));
  const attestation = reportFor(signer, { provider: 'tdx', hardware: true });
  const records = log.proven(
    'tnt_a',
    ids.map(({ auditId }) => auditId),
  );
  const about = {
    format: 'countersign-proof-bundle-v1' as const,
    checkpoint: log.checkpoint(),
    anchor: log.anchored(onChain),
    attestation,
  };
  const bundled = (records ?? []).map(({ text, inclusion }) => ({
    text,
    inclusion: inclusion.map((hash) => hash.toString('hex')),
  }));
  const files = {
    first: publicKeyText(before.publicKey),
    now: publicKeyText(signer.publicKey),
    signer,
    export: `${(await exported(log, 'tnt_a', attestation, onChain)).join('\n')}\n`,
    proof: log.proof('tnt_a', ids[1]?.auditId ?? '') ?? '',
    bundle: signBundleOf(bundled, about, signer),
    olderCheckpoint,
  };
  await logs.end();
  return files;
}

const place = {
  chainId: 31_337,
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  flags: 1,
  transactionHash: `0x${'ab'.repeat(32)}`,
  blockNumber: 7,
};
