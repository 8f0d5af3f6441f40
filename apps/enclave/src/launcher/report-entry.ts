import { chownSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tee } from '@countersign/protocol/vault/audit-record';
import { reportFolder } from '../os/report-folder.ts';

/**
 * An entry of `configfs-tsm` for the core, which only root may make and ask. Null where there is none to make: then
 * the core tries by itself, and says what is wrong.
 */
export function makeReportEntry(kind: Tee['kind'], folder = reportFolder): string | null {
  if (kind !== 'tdx' && kind !== 'sev-snp') return null;
  const entry = join(folder, `countersign-${process.pid}`);
  try {
    mkdirSync(entry);
    return entry;
  } catch {
    return null;
  }
}

/** Gives the entry to the user that the core runs as. */
export function giveReportEntry(entry: string | null, uid: number, gid: number): void {
  if (entry === null || process.getuid?.() !== 0) return;
  for (const name of readdirSync(entry)) chownSync(join(entry, name), uid, gid);
}

/** The kernel keeps an entry until it is removed. */
export function removeReportEntry(entry: string | null): void {
  if (entry === null) return;
  try {
    rmdirSync(entry);
  } catch {
    // One that stays does no harm: the next has another name.
  }
}
