import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Place } from './frame.ts';

/** Records of one tenant, narrowed by what is given. Times are Unix milliseconds, both ends included. */
export type AuditFilter = {
  readonly tenantId: string;
  readonly sessionId?: string;
  readonly credentialId?: string;
  readonly agentDid?: string;
  /** The whole of it, or `token:ID` for all that a token did. */
  readonly actor?: string;
  readonly executionId?: string;
  readonly policyId?: string;
  readonly userId?: string;
  readonly service?: string;
  readonly eventType?: string;
  readonly from?: number;
  readonly to?: number;
};

/** The token in `user:NAME token:ID`. */
const tokenIn = (actor: string): string | undefined => / (token:\S+)$/.exec(actor)?.[1];

/** The members by which records are found. */
const subjects = {
  sessionId: ({ sessionId }) => sessionId,
  credentialId: ({ credentialId }) => credentialId,
  agentDid: ({ agentDid }) => agentDid,
  actor: ({ actor }) => actor,
  eventType: ({ eventType }) => eventType,
  executionId: ({ detail }) => detail['execution_id'],
  policyId: ({ detail }) => detail['policy_id'],
  userId: ({ detail }) => detail['user_id'],
  service: ({ detail }) => detail['service'],
} as const satisfies Readonly<Record<string, (record: AuditRecord) => unknown>>;
type Subject = keyof typeof subjects;
const names = Object.keys(subjects) as Subject[];

/**
 * The leaf index of each record, by tenant and subject. Kept in memory (about 100 bytes a record) and rebuilt
 * at each start.
 */
export class QueryIndex {
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  readonly #times: number[] = [];
  /** Leaves by tenant, and by tenant and subject, in their order. */
  readonly #leaves = new Map<string, number[]>();

  add(record: AuditRecord, { offset, length }: Place): void {
    this.#offsets.push(offset);
    this.#lengths.push(length);
    this.#times.push(Date.parse(record.at));
    this.#note(record.tenantId, record.leafIndex);
    for (const subject of names) {
      const value = subjects[subject](record);
      if (typeof value === 'string')
        this.#note(subjectKey(record.tenantId, subject, value), record.leafIndex);
    }
    const token = tokenIn(record.actor);
    if (token !== undefined) this.#note(subjectKey(record.tenantId, 'actor', token), record.leafIndex);
  }

  /** Undefined for a leaf that is not there. */
  place(leaf: number): Place | undefined {
    const [offset, length] = [this.#offsets[leaf], this.#lengths[leaf]];
    return offset === undefined || length === undefined ? undefined : { offset, length };
  }

  /** The leaves of a tenant, oldest first; the caller does not change them. */
  leavesOf(tenantId: string): readonly number[] {
    return this.#leaves.get(tenantId) ?? [];
  }

  /** Returns whether this leaf is a record of the tenant. */
  isOf(tenantId: string, leaf: number): boolean {
    return hasSorted(this.leavesOf(tenantId), leaf);
  }

  /** The leaves that match, oldest first. */
  select(filter: AuditFilter): readonly number[] {
    const lists = [filter.tenantId, ...subjectKeys(filter)].map((key) => this.#leaves.get(key) ?? []);
    const [shortest = [], ...others] = lists.sort((a, b) => a.length - b.length);
    return shortest.filter(
      (leaf) => this.#isWithin(leaf, filter) && others.every((list) => hasSorted(list, leaf)),
    );
  }

  #isWithin(leaf: number, { from = -Infinity, to = Infinity }: AuditFilter): boolean {
    const at = this.#times[leaf] ?? Number.NaN;
    return from <= at && at <= to;
  }

  #note(key: string, leaf: number): void {
    const leaves = this.#leaves.get(key);
    if (leaves === undefined) this.#leaves.set(key, [leaf]);
    else leaves.push(leaf);
  }
}

/** No tenant has a newline. */
const subjectKey = (tenantId: string, subject: Subject, value: string): string =>
  `${tenantId}\n${subject}\n${value}`;

const subjectKeys = (filter: AuditFilter): string[] =>
  names.flatMap((subject) => {
    const value = filter[subject];
    return value === undefined ? [] : [subjectKey(filter.tenantId, subject, value)];
  });

function hasSorted(list: readonly number[], wanted: number): boolean {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const leaf = list[middle] ?? 0;
    if (leaf === wanted) return true;
    if (leaf < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
