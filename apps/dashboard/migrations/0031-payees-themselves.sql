-- What the domain of a business says about each of its payout addresses, as it was read last. `proved_at`: when it was proved
-- last, under the version that counts. `mark`: it was, and the domain has said otherwise since, so nobody is paid there.
create table dashboard.payee_proof (
  payee_id text not null references dashboard.payee (id),
  domain text not null,
  address text not null,
  verdict text not null,
  until timestamptz,
  checked_at timestamptz not null,
  proved_at timestamptz,
  mark text check (mark in ('DOMAIN_MOVED', 'ADDRESS_DISOWNED')),
  marked_at timestamptz,
  primary key (payee_id, domain, address),
  check ((mark is null) = (marked_at is null) and (mark is null or proved_at is not null))
);

create index payee_proof_marked on dashboard.payee_proof (payee_id, address) where mark is not null;

-- What businesses hand in about themselves, sealed. It is theirs: the record that operators make of it is not.
create table dashboard.business_submission (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  state text not null check (state in ('waiting', 'rejected', 'admitted')),
  -- Null once it was erased.
  key_id text,
  sealed bytea,
  -- What its domain said of each address, and when.
  domain_said jsonb not null default '[]',
  domain_checked_at timestamptz,
  created_at timestamptz not null,
  decided_at timestamptz,
  reason text,
  -- The record that was made of it, and which version of that it is.
  payee_id text references dashboard.payee (id),
  payee_version integer,
  erased_at timestamptz,
  check ((key_id is null) = (erased_at is not null) and (sealed is null) = (erased_at is not null)),
  check ((state = 'waiting') = (decided_at is null) and (state = 'admitted') = (payee_id is not null)
    and (payee_id is null) = (payee_version is null))
);
create unique index business_submission_waiting on dashboard.business_submission (account_id) where state = 'waiting';
create index business_submission_by_account on dashboard.business_submission (account_id, seq desc);
create index business_submission_by_payee on dashboard.business_submission (payee_id) where payee_id is not null;

create table dashboard.business_file (
  id text primary key,
  seq bigint generated always as identity unique,
  submission_id text not null references dashboard.business_submission (id),
  media_type text not null,
  key_id text not null,
  sealed_name bytea not null,
  sealed bytea not null,
  size integer not null,
  added_at timestamptz not null
);
create index business_file_by_submission on dashboard.business_file (submission_id, seq);

alter table dashboard.compliance_history
  drop constraint compliance_history_deed_check,
  add constraint compliance_history_deed_check check (deed in ('approve', 'reject', 'withdraw', 'restore', 'deny', 'undeny', 'retract',
    'read', 'admit-payee', 'change-payee', 'withdraw-payee', 'turn-payee-away', 'add-payee-file', 'read-payee-file', 'erase-payee-file',
    'reject-business', 'read-business-file'));

-- Of what operators decided about a record that never counted, the names that its owner wrote may be forgotten too.
create or replace function dashboard.refuse_all_but_forgetting() returns trigger language plpgsql as $$
declare
  unnamed jsonb := old.detail - array['legalName', 'domain'];
begin
  if new.reason is null and to_jsonb(new) - array['reason', 'detail'] = to_jsonb(old) - array['reason', 'detail']
    and coalesce(old.detail ->> 'deed', old.deed) not in ('deny', 'undeny')
    and (new.detail is not distinct from old.detail or (new.detail = unnamed and old.deed in ('admit-payee', 'change-payee')
      and exists (select from dashboard.payee p where p.id = old.payee_id and p.admitted is null and p.withdrawn_at is not null)))
    then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
