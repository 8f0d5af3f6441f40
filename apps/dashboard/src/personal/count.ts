import type { Address } from '@countersign/protocol/address';
import type { PersonalDataKind } from '@countersign/protocol/dashboard/personal-data';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { countTransactions } from '../transactions/total.ts';

export type Subject = { readonly accountId: string; readonly wallet: Address };

/** The number of each kind; null where counting would cost too much. */
export type Counts = Readonly<Record<PersonalDataKind, number | null>>;

/** Those of the account `$1`: its own and its agents'. */
const wallets = '(select w.wallet from dashboard.account_wallet w where w.account_id = $1)';

/** Approvals `p` that are the account's: of each wallet those from the time when the wallet was its. */
export const approvals = `p.payer in (select h.wallet from dashboard.wallet_holder h where h.account_id = $1)
  and exists (select from dashboard.wallet_holder h where h.account_id = $1 and h.wallet = p.payer
    and p.created_at >= h.since and p.created_at < h.until)`;

/** The arguments `x` of those. */
export const callArguments = `exists (
  select from dashboard.approval p where p.payer = x.payer and p.id = x.id and ${approvals})
  and x.payer in (select h.wallet from dashboard.wallet_holder h where h.account_id = $1)`;

/** Screenings that are about the person (the account `$1`) or any of those wallets. */
export const screened = `subject = any(array(select $1::text union ${wallets}))`;

const count = statement<Omit<Record<PersonalDataKind, number>, 'holds' | 'transactions'>>(
  'personal.count',
  `select 1 as account,
    (select count(*) from dashboard.agent_wallet where account_id = $1) as agents,
    (select count(*) from dashboard.kyc_submission k left join dashboard.kyc_identity i on i.submission_id = k.id
      where k.account_id = $1 and (i.submission_id is not null or k.full_name is not null)) as identities,
    (select count(*) from dashboard.business_submission where account_id = $1 and erased_at is null) as businesses,
    (select count(*) from dashboard.kyc_submission where account_id = $1) as decisions,
    (select count(*) from dashboard.screening where ${screened}) as screenings,
    (select count(*) from dashboard.mandate where account_id = $1 and activated_at is not null) as mandates,
    (select count(*) from dashboard.mandate where account_id = $1 and activated_at is null and title <> '') as drafts,
    (select count(*) from dashboard.approval p where ${approvals} and p.state = 'used') as approvals,
    (select count(*) from dashboard.approval p where ${approvals} and p.state <> 'used') as "unpaidApprovals",
    (select count(*) from dashboard.approval_arguments x where ${callArguments}) as "callArguments",
    (select count(*) from dashboard.alert where account_id = $1) as alerts,
    (select count(*) from dashboard.api_key where account_id = $1) as "apiKeys",
    (select count(*) from dashboard.oauth_connection where account_id = $1) as connections,
    (select count(*) from dashboard.person where account_id = $1)
      + (select count(*) from dashboard.invitation where account_id = $1)
      + (select count(*) from dashboard.provider_identity where account_id = $1 and name <> '') as people,
    (select count(*) from dashboard.account_change where account_id = $1) as changes,
    (select count(*) from dashboard.recovery_address where account_id = $1)
      + (select count(*) from dashboard.recovery_claim where account_id = $1 or claimant_id = $1) as recovery,
    (select count(*) from dashboard.session where account_id = $1) as sessions,
    (select count(*) from dashboard.erasure where account_id = $1) as erasures`,
);

/** Counts the personal data of an account. */
export async function countPersonalData(db: Queryable, { accountId, wallet }: Subject): Promise<Counts> {
  const log = { wallet, scope: 'myAll', filter: {} } as const;
  const [counted, own, claimed] = await Promise.all([
    firstRow(db, count, [accountId]),
    countTransactions(db, { ...log, standing: 'counted' }),
    countTransactions(db, { ...log, standing: 'claimed' }),
  ]);
  if (counted === null) throw new Error('a count gave no row');
  return { ...counted, holds: null, transactions: own + claimed };
}

type Erased = { readonly at: Date; readonly by: 'person' | 'operator' };

const lastErasure = statement<Erased>(
  'personal.last-erasure',
  'select erased_at as at, asked_by as by from dashboard.erasure where account_id = $1 order by id desc limit 1',
);

/** When the account's personal data were erased last, and who asked; null for never. */
export const erasedLast = (db: Queryable, accountId: string): Promise<Erased | null> =>
  firstRow(db, lastErasure, [accountId]);
