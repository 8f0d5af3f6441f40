import './portable/no-code-from-text.ts';
import { checkAudit } from '@countersign/sdk/audit';

/**
 * `good`: this is what the log wrote, complete and unchanged. `simulated`: the same, but no hardware backs the log.
 * `incomplete`: nothing is wrong, but not everything could be checked. `bad`: this is not what the log wrote.
 */
export type AuditVerdict = 'good' | 'simulated' | 'incomplete' | 'bad';

/** One thing that was checked, in plain words. */
export type AuditStep = {
  /** `told` is for the reader only. */
  readonly outcome: 'holds' | 'fails' | 'missing' | 'told';
  readonly what: string;
  /** Where in the file; for what concerns one line. */
  readonly line?: number;
};

export type AuditCheck = { readonly verdict: AuditVerdict; readonly steps: readonly AuditStep[] };

/**
 * Checks what an audit log gave out, without asking anybody: an export, a tlog-proof or a proof bundle, as text. `keys`
 * are the log's own, in base64, from a source that you trust; without one the file's own key is believed, and a step says so.
 * Throws where a key is none.
 */
export const verifyAudit = (text: string, keys: readonly string[] = []): Promise<AuditCheck> =>
  checkAudit(text, keys);
