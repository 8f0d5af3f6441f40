import { type Queryable, rows, statement } from '@countersign/service/sql';
import { openArguments } from '../approvals/arguments.ts';
import { identityColumns, type KeptIdentity, openIdentity, withIdentity } from '../compliance/identity.ts';
import type { Sealer } from '../compliance/seal.ts';
import type { Cursor } from '../transactions/cursor.ts';
import { readWholePage } from '../transactions/page.ts';
import type { Subject } from './count.ts';

export type Reading = { readonly db: Queryable; readonly sealer: Sealer | null; readonly subject: Subject };

/** The records of one kind, a page at a time, so that no connection waits for a slow reader. */
export type Section = (reading: Reading) => AsyncGenerator<readonly unknown[], void>;

const atOnce = 500;
const lowest = { bigint: '0', text: '' } as const;

type About = {
  /** An index has them in this order. */
  readonly key: string;
  readonly type: keyof typeof lowest;
  /** What is told of each. Money is text. */
  readonly columns: string;
  /** Knows the account as `$1` or the wallet as `$2`. */
  readonly from: string;
};

type Row = Readonly<Record<string, unknown>> & { readonly sectionKey: string };

function listOf(
  name: string,
  { key, type, columns, from }: About,
  show: (row: Omit<Row, 'sectionKey'>, reading: Reading) => unknown = (row) => row,
): Section {
  const page = statement<Row>(
    `personal.${name}`,
    `select (${key})::text as "sectionKey", ${columns} from ${from} and ${key} > $3::${type}
       and $1::text is not null and $2::text is not null order by ${key} limit ${atOnce}`,
  );
  return async function* (reading) {
    const { accountId, wallet } = reading.subject;
    for (let after: string | undefined = lowest[type]; after !== undefined; ) {
      const found: readonly Row[] = await rows(reading.db, page, [accountId, wallet, after]);
      yield found.map((each) => {
        const { sectionKey: _, ...row } = each;
        return show(row, reading);
      });
      after = found.length < atOnce ? undefined : found.at(-1)?.sectionKey;
    }
  };
}

const submissions = listOf(
  'submissions',
  {
    key: 'k.seq',
    type: 'bigint',
    columns: `k.id, k.status, k.reason, k.created_at as "createdAt", k.decided_at as "decidedAt",
      k.withdrawn_at as "withdrawnAt",
      k.erased_at as "erasedAt", k.erased_status as "statusWhenErased", ${identityColumns}`,
    from: `dashboard.kyc_submission k ${withIdentity} where k.account_id = $1`,
  },
  (row, { sealer }) => {
    const { sealed, keyId, readable, ...decision } = row as unknown as KeptIdentity & { readonly id: string };
    return { ...decision, ...openIdentity(sealer, decision.id, { sealed, keyId, readable }) };
  },
);

/** What operators decided about the person; which operator is not his to know, nor what had no effect. */
const decisions = listOf('decisions', {
  key: 'h.id',
  type: 'bigint',
  columns: 'h.at, h.deed, h.effective, h.review_id as "reviewId", h.reason',
  from: `dashboard.compliance_history h
    where h.wallet = $2 and h.effective and h.deed in ('approve', 'reject', 'withdraw', 'restore')`,
});

/** Stands until an operator takes it back. */
const withdrawal = listOf('withdrawal', {
  key: 'w.account_id',
  type: 'text',
  columns: 'w.reason, w.withdrawn_at as "withdrawnAt"',
  from: 'dashboard.kyc_withdrawal w where w.account_id = $1',
});

const screenings = listOf('screenings', {
  key: 's.seq',
  type: 'bigint',
  columns: `s.id, s.kind, s.provider, s.subject, s.chain, s.verdict, s.risk_level as "riskLevel", s.risk_score as "riskScore",
    s.attribution, s.source, s.list_date as "listDate", s.request_id as "requestId", s.why, s.screened_at as "screenedAt"`,
  from: 'dashboard.screening s where s.subject in ($1, $2)',
});

const mandateColumns = `m.id, m.title, m.status, m.per_tx_limit::text as "perTxLimit", m.total_budget::text as "totalBudget",
  m.used_amount::text as "usedAmount", m.transaction_count as "transactionCount", m.last_used_at as "lastUsedAt",
  m.signature, m.vc_json as "credential", m.created_at as "createdAt", m.activated_at as "activatedAt",
  m.expires_at as "expiresAt", m.deleted_at as "deletedAt", m.paused, m.period_every as "periodEvery",
  m.period_budget::text as "periodBudget", m.allowed_merchants as "allowedMerchants",
  m.allowed_services as "allowedServices", m.approval_threshold::text as "approvalThreshold"`;

const mandatesThat = (name: string, condition: string) =>
  listOf(name, {
    key: 'm.seq',
    type: 'bigint',
    columns: mandateColumns,
    from: `dashboard.mandate m where m.account_id = $1 and ${condition}`,
  });

const approvalsThat = (name: string, condition: string) =>
  listOf(name, {
    key: 'p.seq',
    type: 'bigint',
    columns: `p.id, p.service_id as "serviceId", p.tool_name as "toolName", p.arguments_hash as "argumentsHash",
      p.pay_to as "payTo", p.asset, p.chain_id as "chainId", p.amount::text, p.currency, p.reason, p.state, p.signature,
      p.reject_reason as "rejectReason", p.created_at as "createdAt", p.expires_at as "expiresAt", p.decided_at as "decidedAt"`,
    from: `dashboard.approval p where p.payer = $2 and ${condition}`,
  });

const callArguments = listOf(
  'call-arguments',
  {
    key: 'x.id',
    type: 'text',
    columns: `x.id, x.sealed, x.key_id as "keyId"`,
    from: 'dashboard.approval_arguments x where x.payer = $2',
  },
  (row, { sealer, subject }) => {
    const { id, sealed, keyId } = row as unknown as { id: string; sealed: Buffer; keyId: string };
    const approval = { payer: subject.wallet, approvalId: id };
    return { approvalId: id, arguments: openArguments(sealer, approval, { keyId, bytes: sealed }) };
  },
);

const holds = listOf('holds', {
  key: 'h.id',
  type: 'text',
  columns: `h.id, h.mandate_id as "mandateId", h.amount::text, h.state, h.created_at as "createdAt", h.expires_at as "expiresAt"`,
  from: 'dashboard.mandate_hold h where h.reporter = $1',
});

const alerts = listOf('alerts', {
  key: 'a.id',
  type: 'bigint',
  columns: `a.id, a.mandate_id as "mandateId", a.kind, a.created_at as "createdAt", a.seen_at as "seenAt"`,
  from: 'dashboard.alert a where a.account_id = $1',
});

const apiKeys = listOf('api-keys', {
  key: 'k.seq',
  type: 'bigint',
  columns: `k.id, k.name, k.prefix, k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"`,
  from: 'dashboard.api_key k where k.account_id = $1',
});

const sessions = listOf('sessions', {
  key: 's.id',
  type: 'text',
  columns: `s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt", s.revoked_at as "revokedAt"`,
  from: 'dashboard.session s where s.account_id = $1',
});

const erasures = listOf('erasures', {
  key: 'e.id',
  type: 'bigint',
  columns: 'e.asked_by as "askedBy", e.erased, e.erased_at as "erasedAt"',
  from: 'dashboard.erasure e where e.account_id = $1',
});

/** Both what counts for the wallet and what others merely claim, newest first, as the wallet may see it. */
async function* transactions({ db, subject: { wallet } }: Reading) {
  for (const standing of ['counted', 'claimed'] as const) {
    for (let after: Cursor | null | undefined = null; after !== undefined; ) {
      const selection = { wallet, scope: 'myAll', standing, filter: {} } as const;
      const found: Awaited<ReturnType<typeof readWholePage>> = await readWholePage(db, selection, {
        after,
        offset: 0,
        limit: atOnce,
      });
      yield found.map((record) => ({ ...record, standing }));
      after = found.length < atOnce ? undefined : found.at(-1);
    }
  }
}

/** What an export holds beside the account itself, in this order: each with the kinds of data that it is. */
export const sections = {
  submissions,
  decisions,
  withdrawal,
  screenings,
  mandates: mandatesThat('mandates', 'm.activated_at is not null'),
  drafts: mandatesThat('drafts', `m.activated_at is null and m.title <> ''`),
  approvals: approvalsThat('approvals', `p.state = 'used'`),
  unpaidApprovals: approvalsThat('unpaid-approvals', `p.state <> 'used'`),
  callArguments,
  holds,
  transactions,
  alerts,
  apiKeys,
  sessions,
  erasures,
} as const satisfies Readonly<Record<string, Section>>;
