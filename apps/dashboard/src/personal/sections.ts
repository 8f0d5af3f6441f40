import type { Address } from '@countersign/protocol/address';
import { agentTable } from '../agents/store.ts';
import { connectionColumns, connectionTable } from '../oauth/connection-store.ts';
import { alertColumns, alertTable } from '../alerts/store.ts';
import { argumentsTable, openArguments } from '../approvals/arguments.ts';
import { approvalTable } from '../approvals/store.ts';
import { apiKeyColumns, apiKeyTable } from '../auth/api-key.ts';
import { sessionTable } from '../auth/store.ts';
import { historyTable } from '../compliance/history.ts';
import { identityColumns, type KeptIdentity, openIdentity, withIdentity } from '../compliance/identity.ts';
import { openFacts, openPart } from '../business/sealed.ts';
import { businessColumns, businessFileTable, businessTable } from '../business/store.ts';
import { submissionTable } from '../compliance/kyc-store.ts';
import { screeningColumns, screeningTable } from '../compliance/screening-store.ts';
import { withdrawalTable } from '../compliance/withdrawal-store.ts';
import { holdTable } from '../holds/store.ts';
import { mandateTable } from '../mandates/table.ts';
import { changeColumns } from '../people/changes.ts';
import { invitationTable } from '../people/invitation-store.ts';
import { personTable } from '../people/store.ts';
import { identityTable } from '../provider-login/identity-store.ts';
import { addressTable, claimTable } from '../recovery/store.ts';
import type { Cursor } from '../transactions/cursor.ts';
import { readWholePage } from '../transactions/page.ts';
import { erasureTable } from './erase.ts';
import { approvals, callArguments as argumentsOfAccount, screened } from './count.ts';
import { atOnce, listOf, type Reading, type Section } from './section.ts';

const agents = listOf('agents', {
  key: 'g.seq',
  type: 'bigint',
  columns: agentTable.list(
    'id',
    'wallet',
    'name',
    'networks',
    'signature',
    'createdAt',
    'signedAt',
    'expiresAt',
    'revokedAt',
    'announcedBy',
    'stoppedMandates',
    'stoppedKeys',
    'stoppedConnections',
  ),
  from: `${agentTable.from} where g.account_id = $1`,
});

const submissions = listOf(
  'submissions',
  {
    key: 'k.seq',
    type: 'bigint',
    columns: `${submissionTable.list('id', 'status', 'reason', 'createdAt', 'decidedAt', 'withdrawnAt', 'erasedAt')},
      ${submissionTable.columns.erasedStatus} as "statusWhenErased", ${identityColumns}`,
    from: `${submissionTable.from} ${withIdentity} where k.account_id = $1`,
  },
  (row, { sealer }) => {
    const { sealed, keyId, readable, ...decision } = row as unknown as KeptIdentity & { readonly id: string };
    return { ...decision, ...openIdentity(sealer, decision.id, { sealed, keyId, readable }) };
  },
);

const businesses = listOf(
  'businesses',
  {
    key: 's.seq',
    type: 'bigint',
    columns: `${businessColumns}, ${businessTable.list('erasedAt')}`,
    from: `${businessTable.from} where s.account_id = $1`,
  },
  (row, { sealer }) => {
    const { keyId, sealed, ...submission } = row as unknown as KeptBusiness;
    return { ...submission, facts: openFacts(sealer, submission.id, { keyId, sealed }) };
  },
);
type KeptBusiness = { readonly id: string; readonly keyId: string | null; readonly sealed: Buffer | null };

const businessFiles = listOf(
  'business-files',
  {
    key: 'f.seq',
    type: 'bigint',
    columns: businessFileTable.list(
      'id',
      'submissionId',
      'mediaType',
      'keyId',
      'sealedName',
      'sealed',
      'addedAt',
    ),
    from: `${businessFileTable.from} join ${businessTable.from} on s.id = f.submission_id where s.account_id = $1`,
  },
  (row, { sealer }) => {
    const { keyId, sealedName, sealed, ...file } = row as unknown as KeptBusinessFile;
    const name = openPart(sealer, file, 'name', { keyId, sealed: sealedName });
    return { ...file, name, content: openPart(sealer, file, 'content', { keyId, sealed }) };
  },
);
type KeptBusinessFile = {
  readonly id: string;
  readonly submissionId: string;
  readonly keyId: string;
  readonly sealedName: Buffer;
  readonly sealed: Buffer;
};

/** Exports operators' decisions about the person, but neither the operator nor decisions without effect. */
const decisions = listOf('decisions', {
  key: 'h.id',
  type: 'bigint',
  columns: historyTable.list('at', 'deed', 'effective', 'reviewId', 'reason'),
  from: `dashboard.compliance_history h
    where h.wallet = $2 and h.effective and h.deed in ('approve', 'reject', 'withdraw', 'restore')`,
});

/** Stands until an operator takes it back. */
const withdrawal = listOf('withdrawal', {
  key: 'w.account_id',
  type: 'text',
  columns: withdrawalTable.list('reason', 'withdrawnAt'),
  from: `${withdrawalTable.from} where w.account_id = $1`,
});

const screenings = listOf('screenings', {
  key: 's.seq',
  type: 'bigint',
  columns: screeningColumns,
  from: `${screeningTable.from} where s.${screened}`,
});

const mandateColumns = `${mandateTable.list('id', 'agentWallet', 'title', 'status', 'transactionCount', 'lastUsedAt', 'signature')},
  ${mandateTable.list('createdAt', 'activatedAt', 'expiresAt', 'deletedAt')},
  ${mandateTable.list('paused', 'periodEvery', 'allowedMerchants', 'allowedServices', 'newPayees')},
  ${mandateTable.columns.vcJson} as credential, m.per_tx_limit::text as "perTxLimit", m.total_budget::text as "totalBudget",
  m.used_amount::text as "usedAmount", m.period_budget::text as "periodBudget",
  m.approval_threshold::text as "approvalThreshold"`;

const mandatesThat = (name: string, condition: string) =>
  listOf(name, {
    key: 'm.seq',
    type: 'bigint',
    columns: mandateColumns,
    from: `${mandateTable.from} where m.account_id = $1 and ${condition}`,
  });

const approvalsThat = (name: string, condition: string) =>
  listOf(name, {
    key: 'p.seq',
    type: 'bigint',
    columns: `${approvalTable.list('id', 'payer', 'serviceId', 'toolName', 'argumentsHash', 'payTo', 'asset', 'chainId')},
      ${approvalTable.list('currency', 'reason', 'reasons', 'state', 'signature', 'rejectReason')}, p.amount::text,
      ${approvalTable.list('createdAt', 'expiresAt', 'decidedAt')}`,
    from: `${approvalTable.from} where ${approvals} and ${condition}`,
  });

type Kept = { id: string; payer: Address; sealed: Buffer; keyId: string };

const callArguments = listOf(
  'call-arguments',
  {
    key: 'x.id',
    type: 'text',
    columns: argumentsTable.list('id', 'payer', 'sealed', 'keyId'),
    from: `${argumentsTable.from} where ${argumentsOfAccount}`,
  },
  (row, { sealer }) => {
    const { id, payer, sealed, keyId } = row as unknown as Kept;
    const approval = { payer, approvalId: id };
    return { approvalId: id, arguments: openArguments(sealer, approval, { keyId, bytes: sealed }) };
  },
);

const holds = listOf('holds', {
  key: 'h.id',
  type: 'text',
  columns: `${holdTable.list('id', 'mandateId')}, h.amount::text, ${holdTable.list('payee', 'state', 'holders', 'createdAt', 'expiresAt')}`,
  from: `${holdTable.from} where h.reporter = $1`,
});

const alerts = listOf('alerts', {
  key: 'a.id',
  type: 'bigint',
  columns: alertColumns,
  from: `${alertTable.from} where a.account_id = $1`,
});

const apiKeys = listOf('api-keys', {
  key: 'k.seq',
  type: 'bigint',
  columns: apiKeyColumns,
  from: `${apiKeyTable.from} where k.account_id = $1`,
});

const connections = listOf('connections', {
  key: 'c.seq',
  type: 'bigint',
  columns: `${connectionColumns}, ${connectionTable.list('revokedAt')}`,
  from: `${connectionTable.from} where c.account_id = $1`,
});

const people = listOf('people', {
  key: 'p.seq',
  type: 'bigint',
  columns: `${personTable.list('id', 'name', 'roles', 'userName', 'createdAt')},
    (select count(*)::int from dashboard.passkey k where k.person_id = p.id) as passkeys`,
  from: `${personTable.from} where p.account_id = $1`,
});

const providerIdentities = listOf('provider-identities', {
  key: 'n.seq',
  type: 'bigint',
  columns: identityTable.list('id', 'issuer', 'subject', 'personId', 'name', 'createdAt', 'shutOutAt'),
  from: `${identityTable.from} where n.account_id = $1 and n.name <> ''`,
});

const invitations = listOf('invitations', {
  key: 'i.seq',
  type: 'bigint',
  columns: invitationTable.list(
    'id',
    'name',
    'roles',
    'invitedByName',
    'createdAt',
    'expiresAt',
    'usedAt',
    'revokedAt',
  ),
  from: `${invitationTable.from} where i.account_id = $1`,
});

const changes = listOf('changes', {
  key: 'c.id',
  type: 'bigint',
  columns: changeColumns,
  from: 'dashboard.account_change c where c.account_id = $1',
});

const recoveryAddresses = listOf('recovery-addresses', {
  key: 'r.seq',
  type: 'bigint',
  columns: addressTable.list('id', 'address', 'signature', 'askedAt', 'countsFrom', 'endedAt', 'endedBy'),
  from: `${addressTable.from} where r.account_id = $1`,
});

const recoveryClaims = listOf('recovery-claims', {
  key: 'c.seq',
  type: 'bigint',
  columns: claimTable.list(
    'id',
    'accountId',
    'claimantId',
    'signature',
    'askedAt',
    'dueAt',
    'endedAt',
    'endedBy',
    'doneAt',
  ),
  from: `${claimTable.from} where (c.account_id = $1 or c.claimant_id = $1)`,
});

const sessions = listOf('sessions', {
  key: 's.id',
  type: 'text',
  columns: sessionTable.list('id', 'personId', 'createdAt', 'lastSeenAt', 'expiresAt', 'revokedAt'),
  from: `${sessionTable.from} where s.account_id = $1`,
});

const erasures = listOf('erasures', {
  key: 'e.id',
  type: 'bigint',
  columns: erasureTable.list('askedBy', 'erased', 'erasedAt'),
  from: `${erasureTable.from} where e.account_id = $1`,
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

/** The sections of an export besides the account itself, in this order, each with its kinds of data. */
export const sections = {
  agents,
  submissions,
  businesses,
  businessFiles,
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
  connections,
  people,
  providerIdentities,
  invitations,
  changes,
  recoveryAddresses,
  recoveryClaims,
  sessions,
  erasures,
} as const satisfies Readonly<Record<string, Section>>;
