import type {
  Payee,
  PayeeFacts,
  PayeeFile,
  PayeeState,
  PayoutAddress,
} from '@countersign/protocol/dashboard/payees';
import type { Address } from '@countersign/protocol/address';
import type { DomainProof } from '@countersign/protocol/dashboard/payee-domain';
import { showCheck, type StoredCheck } from '../kyb/store.ts';
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
  /** Also of domains and addresses that only earlier versions name. */
  readonly domainProofs: readonly DomainProof[];
  readonly checks: readonly StoredCheck[];
  readonly submission: Payee['submission'];
};

/** The version that an operator reads last: what is proposed, else what counts. */
export const newestOf = ({ proposal, shown }: PayeeRow): StoredVersion => proposal ?? shown;

/** Returns the facts of a version, as submitted. */
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

/** Returns it as the API shows it. */
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
  domainProofs: row.domainProofs.filter(isNamedIn([row.shown, row.proposal])).map(showProof),
  checks: row.checks.map(showCheck),
  submission: row.submission,
});

const isNamedIn =
  (versions: readonly (StoredVersion | null)[]) =>
  ({ domain, address }: DomainProof): boolean =>
    versions.some(
      (each) => each?.domain === domain && each.addresses.some((payout) => payout.address === address),
    );

/** PostgreSQL writes times in JSON in its own way. */
const showProof = (proof: DomainProof): DomainProof => ({
  ...proof,
  checkedAt: new Date(proof.checkedAt).toISOString(),
  until: shownTime(proof.until),
  provedAt: shownTime(proof.provedAt),
  markedAt: shownTime(proof.markedAt),
});

const shownTime = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());

function withdrawalOf({
  withdrawnAt,
  withdrawnBy: by,
  withdrawReason: reason,
}: PayeeRow): Payee['withdrawal'] {
  return withdrawnAt === null || by === null || reason === null
    ? null
    : { by, reason, at: withdrawnAt.toISOString() };
}
