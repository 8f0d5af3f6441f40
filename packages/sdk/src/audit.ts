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
  if (trusted.length < keys.length) throw new Error('a key must be 32 bytes of Ed25519 in base64');
  const report = await verify(text, trusted);
  return { verdict: verdictOf(report), steps: report.steps };
}

async function verify(text: string, trusted: Parameters<typeof verifyBundle>[1]): Promise<Report> {
  if (text.startsWith('c2sp.org/tlog-proof@')) return verifyProofFile(text, trusted);
  const kind = kindOf(text);
  if (kind === 'bundle') return verifyBundle(text, trusted);
  if (kind === 'torn') return verifyBundle('', trusted);
  const lines = async function* () {
    yield* text.replace(/\n$/, '').split('\n');
  };
  return verifyExport(lines, trusted);
}

/** A bundle is one JSON object with a format. What is neither that nor torn has to be an export. */
function kindOf(text: string): 'bundle' | 'torn' | 'export' {
  try {
    return Object.hasOwn(JSON.parse(text) as object, 'format') ? 'bundle' : 'export';
  } catch {
    return bundleBegins.test(text) ? 'torn' : 'export';
  }
}

/**
 * The start of a bundle. One that is truncated, or has trailing data, is invalid as a bundle and as an export
 * alike.
 */
const bundleBegins = /^\s*\{\s*"(?:anchor|attestation|checkpoint|format|records|signature)"\s*:/;
