import { signBundleOf } from '../src/proof-bundle.ts';
import { localSigner, privateKeyOfSeed, publicKeyText, type Signer } from '../src/keys.ts';
import { noteKey, verifierKeyText } from '../src/signed-note.ts';
import type { OnChain } from '../src/anchored.ts';
import type { AuditLog } from '../src/store/audit-log.ts';
import { reportFor } from './attestation-report.ts';
import { endedRecord } from './execution-receipt.ts';
import { vectorCases } from './vector-cases.ts';
import { append, exported, type OpenLogs, origin } from './open-logs.ts';

/** The keys of the vectors; the log's are the first two, in the order in which they signed. Everybody knows their seeds: 32 bytes 0x01, 0x02, 0x03, 0x04. */
export const [firstKey, secondKey, ...otherKeys] = [1, 2, 3, 4].map((byte) =>
  localSigner(privateKeyOfSeed(Buffer.alloc(32, byte))),
) as [Signer, Signer, Signer, Signer];

/**
 * The files of `docs/spec/vectors`, by name: a log of seven records of two tenants, whose key was changed, with the receipt of an execution
 * and an older root that is said to be on chain. The same bytes each time.
 */
export async function vectors(logs: OpenLogs): Promise<ReadonlyMap<string, string>> {
  const anchoredAt = await firstHalf(logs);
  const log = await logs.open({ signer: secondKey, previousSigner: firstKey });
  logs.clock += 1000;
  const ended = await append(log, endedRecord(secondKey));
  const last = await append(log, { detail: { note: 'not ASCII: "é", €, 𝄞', n: 1e21, none: null } });
  const root = log.rootAt(anchoredAt)?.toString('hex') ?? '';
  const onChain: OnChain = { ...placeOnChain, size: anchoredAt, root: `0x${root}` };
  const attestation = reportFor(secondKey);
  return new Map([
    ['keys.json', keysText()],
    ['export.jsonl', `${(await exported(log, 'tnt_a', attestation, onChain)).join('\n')}\n`],
    ['record.tlog-proof', log.proof('tnt_a', last.auditId) ?? ''],
    ['bundle.json', bundleText(log, [ended.auditId, last.auditId], onChain)],
    [
      'cases.jsonl',
      vectorCases(firstKey, [secondKey, ...otherKeys])
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    ],
  ]);
}

/** What the first key signed; the size of the tree then. */
async function firstHalf(logs: OpenLogs): Promise<number> {
  const log = await logs.open({ signer: firstKey });
  await append(log);
  await append(log, { tenantId: 'tnt_b' });
  await append(log, { sessionId: undefined, credentialId: undefined, agentDid: undefined, detail: {} });
  const { size } = log.head;
  await log.close();
  return size;
}

function bundleText(log: AuditLog, auditIds: readonly string[], onChain: OnChain): string {
  const records = log.proven('tnt_a', auditIds) ?? [];
  const bundled = records.map(({ text, inclusion }) => ({
    text,
    inclusion: inclusion.map((hash) => hash.toString('hex')),
  }));
  const about = {
    format: 'countersign-proof-bundle-v1' as const,
    checkpoint: log.checkpoint(),
    anchor: log.anchored(onChain),
    attestation: reportFor(secondKey),
  };
  return signBundleOf(bundled, about, secondKey);
}

const keysText = (): string =>
  `${JSON.stringify(
    {
      origin,
      keys: [firstKey, secondKey].map(({ publicKey }) => ({
        publicKey: publicKeyText(publicKey),
        verifierKey: verifierKeyText(noteKey(origin, publicKey)),
      })),
    },
    null,
    2,
  )}\n`;

const placeOnChain = {
  chainId: 31_337,
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  flags: 1,
  transactionHash: `0x${'ab'.repeat(32)}`,
  blockNumber: 7,
} as const;
