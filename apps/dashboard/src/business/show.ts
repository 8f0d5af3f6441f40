import type { Business } from '@countersign/protocol/dashboard/business';
import type { Sealer } from '../compliance/seal.ts';
import { showCheck } from '../kyb/store.ts';
import { openFacts, openPart } from './sealed.ts';
import type { SubmissionRow } from './store.ts';

/** A submission as the API tells it. What is sealed under another key has no facts, and its files no names. */
export function showSubmission(sealer: Sealer | null, row: SubmissionRow): Business {
  const { accountId: _, keyId, sealed, files, checks, domainCheckedAt, createdAt, decidedAt, ...shown } = row;
  return {
    ...shown,
    facts: openFacts(sealer, row.id, { keyId, sealed }),
    files: files.map(({ id, mediaType, size, addedAt, ...file }) => {
      const kept = { keyId: file.keyId, sealed: Buffer.from(file.sealedName, 'base64') };
      const name = openPart(sealer, { id, submissionId: row.id }, 'name', kept) ?? '';
      return { id, name, mediaType, size, addedAt: new Date(addedAt).toISOString() };
    }),
    checks: checks.map(showCheck),
    domainCheckedAt: domainCheckedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}
