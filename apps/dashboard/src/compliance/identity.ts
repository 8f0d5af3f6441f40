import type { KycReview, KycSubmission } from '@countersign/protocol/dashboard/compliance';
import { sqlTable } from '@countersign/service/sql-table';
import type { Sealed, Sealer } from './seal.ts';

/** An identity as the tables keep it: sealed, or readable as earlier releases left it; nothing once it was erased. */
export type KeptIdentity = {
  readonly sealed: Buffer | null;
  readonly keyId: string | null;
  readonly readable: KycSubmission | null;
};

export const identityTable = sqlTable('dashboard.kyc_identity', 'i', ['submissionId', 'keyId', 'sealed']);

/** The columns of a `KeptIdentity`, of the submission `k` and what is sealed of it, `i`. */
export const identityColumns = `${identityTable.list('sealed', 'keyId')}, case when k.full_name is not null then
  json_build_object('fullName', k.full_name, 'country', k.country, 'documentType', k.document_type,
    'documentNumber', k.document_number) end as readable`;

/** Joins what is sealed to the submission `k`. */
export const withIdentity = `left join ${identityTable.from} on i.submission_id = k.id`;

/** Seals who a person is, for this submission alone. */
export function sealIdentity(
  sealer: Sealer,
  submissionId: string,
  { fullName, country, documentType, documentNumber }: KycSubmission,
): Sealed {
  return sealer.seal(
    JSON.stringify({ fullName, country, documentType, documentNumber }),
    rowId(submissionId),
  );
}

type ShownIdentity = Pick<KycReview, 'personalData' | keyof KycSubmission>;

const absent = { fullName: null, country: null, documentType: null, documentNumber: null } as const;

/** Who it is. What is sealed under another key, or was moved from another submission, is `unreadable`. */
export function openIdentity(
  sealer: Sealer | null,
  submissionId: string,
  { sealed, keyId, readable }: KeptIdentity,
): ShownIdentity {
  if (readable !== null) return { ...readable, personalData: 'kept' };
  if (sealed === null || keyId === null) return { ...absent, personalData: 'erased' };
  if (sealer === null) return { ...absent, personalData: 'unreadable' };
  try {
    const text = sealer.open({ keyId, bytes: sealed }, rowId(submissionId));
    return { ...(JSON.parse(text) as KycSubmission), personalData: 'kept' };
  } catch {
    return { ...absent, personalData: 'unreadable' };
  }
}

/** Removes the details of an identity, for people of the account who are not its holder. */
export const withhold = <T extends ShownIdentity>(shown: T): T =>
  shown.personalData === 'kept' ? { ...shown, ...absent, personalData: 'withheld' } : shown;

const rowId = (submissionId: string): string => `kyc_identity.sealed of ${submissionId}`;
