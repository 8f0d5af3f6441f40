create table dashboard.kyc_submission (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  full_name text not null,
  country text not null,
  document_type text not null,
  document_number text not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text references dashboard.account (id)
);
create index kyc_submission_by_account on dashboard.kyc_submission (account_id, seq desc);
-- While one waits for its reviewer or holds, there is nothing more to hand in.
create unique index kyc_submission_one_standing on dashboard.kyc_submission (account_id) where status <> 'rejected';

-- At most one list of each source; an import replaces its addresses.
create table dashboard.sanctions_list (
  source text primary key check (source in ('ofac-sdn', 'demonstration')),
  list_date timestamptz not null,
  imported_at timestamptz not null,
  address_count integer not null check (address_count > 0)
);

create table dashboard.sanctions_address (
  address text not null,
  source text not null references dashboard.sanctions_list (source),
  primary key (address, source)
);

create table dashboard.deny_list (
  address text primary key,
  reason text not null,
  added_by text not null references dashboard.account (id),
  added_at timestamptz not null
);
