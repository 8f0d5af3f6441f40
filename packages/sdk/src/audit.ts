import { verifyBundle } from '@countersign/audit-log/verify/bundle';
import { verifyExport } from '@countersign/audit-log/verify/export';
import { verifyProofFile } from '@countersign/audit-log/verify/proof-file';
import { readPublicKey } from '@countersign/audit-log/keys';
import { type Report, type Step, type Verdict, verdictOf } from '@countersign/audit-log/verify/report';

export type AuditCheck = {
  /** `simulated`: all is as the log wrote it, and no hardware vouches for the log. */
  readonly verdict: Verdict;
  readonly steps: readonly Step[];
};

/**
 * Checks what an audit log gave out, without asking anybody: an export, a tlog-proof or a proof bundle, as text. `keys`
 * are the log's own, in base64, from a source that you trust; without one the file's own key is believed, and it says so.
 */
export async function checkAudit(text: string, keys: readonly string[] = []): Promise<AuditCheck> {
  const trusted = keys.map(readPublicKey).filter((key) => key !== null);
  if (trusted.length < keys.length) throw new Error('a key is 32 bytes of Ed25519 in base64');
  const report = await verify(text, trusted);
  return { verdict: verdictOf(report), steps: report.steps };
}

async function verify(text: string, trusted: Parameters<typeof verifyBundle>[1]): Promise<Report> {
  if (text.startsWith('c2sp.org/tlog-proof@')) return verifyProofFile(text, trusted);
  if (text.startsWith('{"anchor":')) return verifyBundle(text, trusted);
  const lines = async function* () {
    yield* text.replace(/\n$/, '').split('\n');
  };
  return verifyExport(lines, trusted);
}
