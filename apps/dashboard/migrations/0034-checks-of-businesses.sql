-- Checks of businesses by a provider: of a submission, of a record, or of both once one has become the other. An answer is
-- evidence. While a provider says no about a version that counts or counted, and operators have not decided in sight of it
-- (`lifted_at`), nobody is paid by the record.
create table dashboard.business_check (
  id text primary key,
  seq bigint generated always as identity unique,
  provider text not null,
  submission_id text references dashboard.business_submission (id),
  payee_id text references dashboard.payee (id),
  payee_version integer,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  -- The provider's own name of its file.
  provider_file text,
  started_at timestamptz not null,
  -- When the answer that stands was asked for, and when it was last tried to get one.
  checked_at timestamptz,
  tried_at timestamptz not null,
  rejected_at timestamptz,
  lifted_at timestamptz,
  check (submission_id is not null or payee_id is not null),
  check ((payee_id is null) = (payee_version is null)),
  check ((status = 'rejected') = (rejected_at is not null) and (lifted_at is null or rejected_at is not null))
);
create index business_check_by_payee on dashboard.business_check (payee_id) where payee_id is not null;
create index business_check_by_submission on dashboard.business_check (submission_id) where submission_id is not null;

alter table dashboard.screening
  drop constraint screening_kind_check,
  add constraint screening_kind_check check (kind in ('kyc', 'kyt', 'kyb'));

alter table dashboard.compliance_history
  drop constraint compliance_history_deed_check,
  add constraint compliance_history_deed_check check (deed in ('approve', 'reject', 'withdraw', 'restore', 'deny', 'undeny', 'retract',
    'read', 'admit-payee', 'change-payee', 'withdraw-payee', 'turn-payee-away', 'add-payee-file', 'read-payee-file', 'erase-payee-file',
    'reject-business', 'read-business-file', 'check-business'));

-- Of a record that never counted and was withdrawn, what its versions say of who it is may be forgotten. Its addresses stay.
create function dashboard.refuse_all_but_unnaming() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['legal_name', 'domain', 'links', 'registry_numbers'] = to_jsonb(old) - array['legal_name', 'domain', 'links', 'registry_numbers']
    and new.legal_name = '' and new.domain = '' and new.links = '{}' and new.registry_numbers = '{}'
    and exists (select from dashboard.payee p where p.id = old.payee_id and p.admitted is null and p.withdrawn_at is not null)
    then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
drop trigger append_only on dashboard.payee_version;
create trigger append_only before delete or truncate on dashboard.payee_version
  for each statement execute function dashboard.refuse_change();
create trigger append_only_but_unnaming before update on dashboard.payee_version
  for each row execute function dashboard.refuse_all_but_unnaming();
