-- Who a person is, as it was handed in: sealed (AES-256-GCM) under the key of this id and bound to its submission. Where
-- there is no row it was erased. The table is vacuumed as soon as something is deleted from it.
create table dashboard.kyc_identity (
  submission_id text primary key references dashboard.kyc_submission (id) on delete cascade,
  key_id text not null,
  sealed bytea not null
) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);

-- The columns that were readable are filled by earlier releases alone, while both share the tables; a process that has
-- the key moves what it finds there (`seal-identities.ts`). A later release drops them.
alter table dashboard.kyc_submission
  alter column full_name drop not null,
  alter column country drop not null,
  alter column document_type drop not null,
  alter column document_number drop not null,
  add column erased_at timestamptz,
  add column erased_for text check (erased_for in ('person', 'operator', 'retention')),
  -- What the submission was when the person's data were erased as asked; it stands as rejected since, which no release
  -- takes for a verified person. Null where retention ended: what was decided stays in force then.
  add column erased_status text,
  add check ((erased_at is null) = (erased_for is null)),
  add check (erased_at is null or coalesce(full_name, country, document_type, document_number, reason) is null);
create index kyc_submission_unsealed on dashboard.kyc_submission (seq) where full_name is not null;
create index kyc_submission_to_forget on dashboard.kyc_submission (decided_at)
  where status = 'rejected' and erased_at is null;

-- A row for each time that readable rows went: while there is one, the file of that table may still have them, and is to
-- be written anew.
create table dashboard.kyc_rewrite_due (
  id bigint generated always as identity primary key,
  noted_at timestamptz not null default now()
);

-- Set by an erasure: nobody asks a vendor about this person until he begins anew.
alter table dashboard.account add column identity_erased_at timestamptz;

-- Who had what kind of data erased, when, and how many of each kind; never the data.
create table dashboard.erasure (
  id bigint generated always as identity primary key,
  account_id text not null references dashboard.account (id),
  asked_by text not null check (asked_by in ('person', 'operator')),
  erased jsonb not null,
  erased_at timestamptz not null
);
create index erasure_by_account on dashboard.erasure (account_id, id desc);
create trigger append_only before update or delete or truncate on dashboard.erasure
  for each statement execute function dashboard.refuse_change();

-- Of the history one thing may change: a reason about a person, who may be named in it, is forgotten. Who decided what and
-- when stays, and why an address is denied or no longer.
drop trigger append_only on dashboard.compliance_history;
create trigger append_only before delete or truncate on dashboard.compliance_history
  for each statement execute function dashboard.refuse_change();
create function dashboard.refuse_all_but_forgetting() returns trigger language plpgsql as $$
begin
  if new.reason is null and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason'
    and coalesce(old.detail ->> 'deed', old.deed) not in ('deny', 'undeny') then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only_but_reasons before update on dashboard.compliance_history
  for each row execute function dashboard.refuse_all_but_forgetting();
