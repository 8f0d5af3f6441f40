import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRecord, RecordDraft } from '@countersign/protocol/vault/audit-record';
import type { AuditLog } from '../src/store/audit-log.ts';
import type { OnChain } from '../src/anchored.ts';
import { type AuditLogOptions, openAuditLog } from '../src/store/open.ts';
import { draft, newSigner, simulated } from './sample-records.ts';

export const origin = 'log.example/audit';
export const signer = newSigner();

/** Directories and logs of one test, and its clock. */
export class OpenLogs {
  readonly dir = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
  clock = Date.parse('2026-11-21T10:00:00.000Z');
  readonly #logs: AuditLog[] = [];

  tryOpen(about: Partial<AuditLogOptions> = {}) {
    return openAuditLog({ dir: this.dir, origin, tee: simulated, signer, now: () => this.clock, ...about });
  }

  async open(about: Partial<AuditLogOptions> = {}): Promise<AuditLog> {
    const log = await this.tryOpen(about);
    if (!log.ok) throw new Error(log.error.reason);
    this.#logs.push(log.value);
    return log.value;
  }

  async end(): Promise<void> {
    for (const log of this.#logs) await log.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export async function append(log: AuditLog, about: Partial<RecordDraft> = {}): Promise<AuditRecord> {
  const appended = await log.append(draft(about));
  if (!appended.ok) throw new Error(appended.error.reason);
  return appended.value;
}

export async function exported(
  log: AuditLog,
  tenantId: string,
  attestation: unknown = null,
  onChain: OnChain | null = null,
) {
  const lines: string[] = [];
  for await (const line of log.exportLines(tenantId, attestation, onChain)) lines.push(line);
  return lines;
}
