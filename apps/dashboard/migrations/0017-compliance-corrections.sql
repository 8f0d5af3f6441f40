-- Compliance that can correct itself: approvals end and are withdrawn, two operators may have to agree, and what was
-- decided stays on record.

-- `approved_at`: from then on an approval lasts so long as is configured; a withdrawal keeps it, for whoever takes the
-- withdrawal back. `withdrawn_at`: then an approval was withdrawn; the status is `rejected` since.
alter table dashboard.kyc_submission add column approved_at timestamptz, add column withdrawn_at timestamptz;
update dashboard.kyc_submission set approved_at = decided_at where status = 'approved';

-- A renewal waits beside the approval that it renews.
drop index dashboard.kyc_submission_one_standing;
create unique index kyc_submission_one_waiting on dashboard.kyc_submission (account_id) where status = 'pending';

-- Whose approval is withdrawn, whoever gave it. It wins over every vendor's answer until somebody approves again.
create table dashboard.kyc_withdrawal (
  account_id text primary key references dashboard.account (id),
  reason text not null,
  withdrawn_by text not null references dashboard.account (id),
  withdrawn_at timestamptz not null
);

-- What the first of two operators has said. `subject`: a submission, a wallet or a denied address.
create table dashboard.first_word (
  deed text not null check (deed in ('approve', 'restore', 'undeny')),
  subject text not null,
  reason text,
  said_by text not null references dashboard.account (id),
  said_at timestamptz not null,
  primary key (deed, subject)
);

-- Who decided what, when and why, and who looked at the transactions of everybody. It stands by itself: wallets as they
-- were then, and no reference that would keep a person's file from being deleted.
create table dashboard.compliance_history (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operator_id text not null,
  operator_wallet text not null,
  deed text not null check (deed in ('approve', 'reject', 'withdraw', 'restore', 'deny', 'undeny', 'retract', 'read')),
  effective boolean not null,
  -- A person's wallet or a denied address; null for a look at everybody.
  wallet text,
  review_id text,
  reason text,
  detail jsonb
);
create index compliance_history_by_wallet on dashboard.compliance_history (wallet, id desc);

insert into dashboard.compliance_history (at, operator_id, operator_wallet, deed, effective, wallet, review_id, reason)
select d.at, o.id, o.wallet_address, d.deed, true, d.wallet, d.review_id, d.reason
from (
  select k.decided_at as at, k.decided_by as by, case k.status when 'approved' then 'approve' else 'reject' end as deed,
    a.wallet_address as wallet, k.id as review_id, k.reason
  from dashboard.kyc_submission k join dashboard.account a on a.id = k.account_id where k.status <> 'pending'
  union all
  select added_at, added_by, 'deny', address, null, reason from dashboard.deny_list
) d join dashboard.account o on o.id = d.by
order by d.at;

create function dashboard.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only before update or delete or truncate on dashboard.compliance_history
  for each statement execute function dashboard.refuse_change();

-- What operators see of everybody, newest first.
create index transaction_log_newest on dashboard.transaction_log (created_at desc, id desc)
  include (service_result, chain, service_name);
