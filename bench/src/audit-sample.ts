import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localSigner } from '@countersign/audit-log/keys';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { openAuditLog } from '@countersign/audit-log/store/open';
import { median } from './load.ts';

export const keyPair = generateKeyPairSync('ed25519');

/** A record as a decryption leaves it: 790 bytes with its hashes and signature. */
export const sampleDraft = (n: number): RecordDraft => ({
  tenantId: `tnt_${n % 4}`,
  eventType: 'credential_access',
  sessionId: `ses_7c9e6679742540de944be07f${n % 1000}`,
  credentialId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  agentDid: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  actor: 'user:usr_7c9e6679742540de944be07f',
  detail: { reason: 'nightly report', fields: ['password'], url: 'https://shop.example/account/login' },
});

/** Runs `use` on a log of its own, which is gone afterwards. */
export async function withAuditLog<T>(
  dir: string | null,
  use: (log: AuditLog, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(dir ?? tmpdir(), 'audit-bench-'));
  const tee = { kind: 'simulated', trust: 'simulated' } as const;
  const signer = localSigner(keyPair.privateKey);
  try {
    const log = await openAuditLog({
      dir: folder,
      origin: 'bench.example/audit',
      tee,
      signer,
      now: Date.now,
    });
    if (!log.ok) throw new Error(log.error.reason);
    try {
      return await use(log.value, folder);
    } finally {
      await log.value.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a thing costs: how often a second by the clock, and the CPU of each in microseconds. */
export type Cost = { readonly perSecond: number; readonly cpuMicros: number };

/** Runs `act`, which gives how many things it did. */
export async function costOf(act: () => number | Promise<number>): Promise<Cost> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const count = await act();
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: count / ((performance.now() - started) / 1000),
    cpuMicros: (user + system) / count,
  };
}

/** Does the same for so many milliseconds; gives how often. */
export function again(ms: number, act: () => void): number {
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < ms; count += 1) act();
  return count;
}

/** Medians of rounds. */
export const medianCost = (costs: readonly Cost[]): Cost => ({
  perSecond: median(costs.map(({ perSecond }) => perSecond)),
  cpuMicros: median(costs.map(({ cpuMicros }) => cpuMicros)),
});
