import type { KycStatus, KytDecision, RiskLevel } from '@countersign/protocol/dashboard/compliance';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import type { Sealed } from './seal.ts';

/** Who was asked about whom. */
export type Asked = {
  readonly kind: 'kyc' | 'kyt' | 'kyb';
  readonly provider: string;
  readonly subject: string;
  /** CAIP-2; empty for KYC and KYB. */
  readonly chain: string;
};

/** The result of a screening. Members that the provider did not report are null. */
export type Outcome = {
  readonly verdict: KytDecision | KycStatus | 'unavailable';
  readonly riskLevel: RiskLevel | null;
  readonly riskScore: number | null;
  readonly attribution: 'known' | 'none' | null;
  readonly source: string | null;
  readonly listDate: Date | null;
  readonly requestId: string | null;
  readonly why: string | null;
};

export type ScreeningRecord = Asked & Outcome & { readonly id: string; readonly screenedAt: Date };

const recordFields = [
  'id',
  'kind',
  'provider',
  'subject',
  'chain',
  'verdict',
  'riskLevel',
  'riskScore',
  'attribution',
  'source',
  'listDate',
  'requestId',
  'why',
  'screenedAt',
] as const;
const fields = [...recordFields, 'sealedAnswer', 'keyId'] as const;

export const screeningTable = sqlTable('dashboard.screening', 's', fields);
/** The fields of a `ScreeningRecord`, for the alias `s`. */
export const screeningColumns = screeningTable.list(...recordFields);

const insertFields = screeningTable.insertInto(...fields);
const given = placeholders(fields);

const insert = statement('screening.insert', `${insertFields} values (${given})`);

const insertOnce = statement(
  'screening.insert-once',
  `${insertFields}
   select ${given}
   where not exists (
     select from (select * from dashboard.screening where kind = $2 and provider = $3 and subject = $4 and chain = $5
                  order by screened_at desc, seq desc limit 1) newest
     where newest.verdict = $6 and newest.source is not distinct from $10 and newest.list_date is not distinct from $11
       and newest.screened_at > $14::timestamptz - interval '1 hour')`,
);

// Waits for an erasure of this person that is under way, and then keeps nothing.
const insertOfPerson = statement(
  'screening.insert-of-person',
  `${insertFields}
   select ${given}
   from dashboard.account a where a.id = $4 and a.identity_erased_at is null for share`,
);

const valuesOf = (record: ScreeningRecord, sealed: Sealed | null): readonly unknown[] => {
  const row = { ...record, sealedAnswer: sealed?.bytes ?? null, keyId: sealed?.keyId ?? null };
  return fields.map((field) => row[field]);
};

/** Keeps nothing about a person whose data were erased, also while the question was under way. */
export async function keepScreening(
  db: Queryable,
  record: ScreeningRecord,
  sealed: Sealed | null,
): Promise<void> {
  await rows(db, record.kind === 'kyc' ? insertOfPerson : insert, valuesOf(record, sealed));
}

/** Keeps nothing when the newest one of the last hour says the same: our own lists answer alike until they change. */
export async function keepScreeningOnce(db: Queryable, record: ScreeningRecord): Promise<void> {
  await rows(db, insertOnce, valuesOf(record, null));
}

const newest = statement<ScreeningRecord>(
  'screening.newest',
  `select ${screeningColumns} from ${screeningTable.from} where kind = $1 and provider = $2 and subject = $3 and chain = $4
   order by screened_at desc, seq desc limit 1`,
);

export const findNewest = (
  db: Queryable,
  { kind, provider, subject, chain }: Asked,
): Promise<ScreeningRecord | null> => firstRow(db, newest, [kind, provider, subject, chain]);

export type Evidence = ScreeningRecord & { readonly sealed: Sealed | null };

const evidenceOf = statement<ScreeningRecord & { sealedAnswer: Buffer | null; keyId: string | null }>(
  'screening.evidence',
  `select ${screeningColumns}, ${screeningTable.list('sealedAnswer', 'keyId')} from ${screeningTable.from}
   where subject = $1 order by screened_at desc, seq desc limit $2`,
);

/** The newest that is kept about an address or account, newest first. */
export async function listEvidence(
  db: Queryable,
  subject: string,
  limit: number,
): Promise<readonly Evidence[]> {
  const found = await rows(db, evidenceOf, [subject, limit]);
  return found.map(({ sealedAnswer, keyId, ...record }) => ({
    ...record,
    sealed: sealedAnswer === null || keyId === null ? null : { bytes: sealedAnswer, keyId },
  }));
}
