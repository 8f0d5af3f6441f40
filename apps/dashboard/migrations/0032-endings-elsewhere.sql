-- What vault and control plane have still to be told: that a person was removed, or has other roles. It outlives the
-- person, so it refers to nobody.
create table dashboard.person_ending (
  id bigint generated always as identity primary key,
  account_id text not null references dashboard.account (id),
  person_id text not null,
  -- None: removed.
  roles text[] not null,
  at timestamptz not null,
  -- The parts that have been told.
  told text[] not null default '{}'
);
