import { publicKeyText, type Signer } from '@countersign/audit-log/keys';
import { signBundleOf } from '@countersign/audit-log/proof-bundle';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { fail, ok } from '@countersign/protocol/result';
import type { Handlers } from '../serve.ts';

export type BundleParts = {
  readonly audit: AuditLog;
  readonly signer: Signer;
  readonly report: Handlers['report'];
};

/** Leaves room in a frame. */
const maxBytes = 8_000_000;

/** Records of a tenant in one file with all that proves them. */
export const bundleHandler =
  ({ audit, signer, report }: BundleParts): Handlers['control.bundle'] =>
  async ({ tenantId, auditIds, anchor }, _, gone) => {
    const attested = await reportBySigner({ signer, report }, gone);
    if (!attested.ok) return attested;
    // Nothing is awaited from here on: all of it is about one head.
    const proven = audit.proven(tenantId, auditIds);
    if (proven === null) return fail({ code: 'NOT_FOUND' });
    const asked = new Set(auditIds);
    const leaves = proven.flatMap(({ record }) => (asked.has(record.auditId) ? record.leafIndex : []));
    const text = signBundleOf(
      proven.map(({ text, inclusion }) => ({ text, inclusion: inclusion.map(hex) })),
      {
        format: 'countersign-proof-bundle-v1',
        checkpoint: audit.checkpoint(),
        // A root that does not contain the newest of the records proves nothing of it.
        anchor: anchor === null || anchor.size <= Math.max(...leaves) ? null : audit.anchored(anchor),
        attestation: attested.value.reply,
      },
      signer,
    );
    const body = Buffer.from(text);
    return body.length <= maxBytes
      ? ok({ reply: {}, body })
      : fail({ code: 'INVALID_COMMAND', field: 'auditIds' });
  };

/** A report about the key that signs still when it is there. */
async function reportBySigner(parts: Pick<BundleParts, 'signer' | 'report'>, gone: AbortSignal) {
  for (;;) {
    const attested = await parts.report({ nonce: '' }, Buffer.alloc(0), gone);
    const isOf = (key: string) => key === publicKeyText(parts.signer.publicKey);
    if (!attested.ok || isOf(attested.value.reply.auditPublicKey)) return attested;
  }
}

const hex = (bytes: Buffer): string => bytes.toString('hex');
