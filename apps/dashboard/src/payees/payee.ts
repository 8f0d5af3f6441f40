import type {
  Payee,
  PayeeFacts,
  PayeeFile,
  PayeeState,
  PayoutAddress,
} from '@countersign/protocol/dashboard/payees';
import type { Address } from '@countersign/protocol/address';
import { showWord, type Word } from '../compliance/first-word.ts';

/** A version of a record as PostgreSQL gives it in JSON. */
export type StoredVersion = {
  readonly version: number;
  readonly legal_name: string;
  readonly domain: string;
  readonly addresses: readonly PayoutAddress[];
  readonly links: readonly string[];
  readonly registry_numbers: readonly string[];
  readonly valid_until: string;
  readonly checked_by: Address;
  readonly checked_at: string;
};

export type PayeeRow = {
  readonly id: string;
  readonly state: PayeeState;
  readonly createdAt: Date;
  readonly admitted: number | null;
  readonly withdrawnAt: Date | null;
  readonly withdrawnBy: Address | null;
  readonly withdrawReason: string | null;
  readonly shown: StoredVersion;
  readonly proposal: StoredVersion | null;
  readonly files: readonly PayeeFile[];
};

/** The version that an operator reads last: what is proposed, else what counts. */
export const newestOf = ({ proposal, shown }: PayeeRow): StoredVersion => proposal ?? shown;

/** What a version says, as it was handed in. */
export const factsOf = (stored: StoredVersion): PayeeFacts => ({
  legalName: stored.legal_name,
  domain: stored.domain,
  addresses: [...stored.addresses],
  links: [...stored.links],
  registryNumbers: [...stored.registry_numbers],
  validUntil: new Date(stored.valid_until).toISOString(),
});

const showVersion = (stored: StoredVersion) => ({
  ...factsOf(stored),
  version: stored.version,
  checkedBy: stored.checked_by,
  checkedAt: new Date(stored.checked_at).toISOString(),
});

/** As the API tells it. */
export const showPayee = (row: PayeeRow, word: Word | undefined): Payee => ({
  ...showVersion(row.shown),
  id: row.id,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  proposal: row.proposal === null ? null : { ...showVersion(row.proposal), firstWord: showWord(word) },
  withdrawal: withdrawalOf(row),
  files: row.files.map((file) => ({
    ...file,
    addedAt: new Date(file.addedAt).toISOString(),
    erasedAt: file.erasedAt === null ? null : new Date(file.erasedAt).toISOString(),
  })),
});

function withdrawalOf({
  withdrawnAt,
  withdrawnBy: by,
  withdrawReason: reason,
}: PayeeRow): Payee['withdrawal'] {
  return withdrawnAt === null || by === null || reason === null
    ? null
    : { by, reason, at: withdrawnAt.toISOString() };
}
