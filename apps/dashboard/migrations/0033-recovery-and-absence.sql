-- Whom an account names to recover it, by statements of its wallet. What counts is the last that was not objected to and
-- whose time has come. The address itself needs no account before it recovers.
create table dashboard.recovery_address (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  -- Null: nobody.
  address text,
  signature text not null,
  asked_at timestamptz not null,
  counts_from timestamptz not null,
  -- Objected to, by the wallet that signed so.
  ended_at timestamptz,
  ended_by text,
  check (ended_at < counts_from)
);
create index recovery_address_by_account on dashboard.recovery_address (account_id, seq desc);
create index recovery_address_by_address on dashboard.recovery_address (address, seq desc) where ended_at is null;

create table dashboard.recovery_claim (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  claimant_id text not null references dashboard.account (id),
  signature text not null,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  ended_at timestamptz,
  -- The wallet that objected or withdrew it; null: what it rested on was gone.
  ended_by text,
  done_at timestamptz,
  check (ended_at is null or done_at is null)
);
create unique index recovery_claim_one_open on dashboard.recovery_claim (account_id)
  where ended_at is null and done_at is null;
create index recovery_claim_by_claimant on dashboard.recovery_claim (claimant_id, seq desc);
create index recovery_claim_by_account on dashboard.recovery_claim (account_id, seq desc);

-- Recovered by another account, and good for nothing but to be read.
alter table dashboard.account
  add column closed_at timestamptz,
  add column recovered_by text references dashboard.account (id),
  add check ((closed_at is null) = (recovered_by is null));
create index account_recovered_by on dashboard.account (recovered_by) where recovered_by is not null;

-- The account that recovered this one has signed the wallet as its own agent: from then on its records are that one's.
alter table dashboard.agent_wallet add column handed_on_at timestamptz;
drop index dashboard.agent_wallet_one_owner;
create unique index agent_wallet_one_owner on dashboard.agent_wallet (wallet)
  where signed_at is not null and handed_on_at is null;
create or replace view dashboard.account_wallet as
  select id as account_id, wallet_address as wallet, wallet_address as owner from dashboard.account
  union all
  select a.id, g.wallet, a.wallet_address
  from dashboard.agent_wallet g join dashboard.account a on a.id = g.account_id
  where g.signed_at is not null and g.handed_on_at is null;
create index agent_wallet_handed_on on dashboard.agent_wallet (wallet, handed_on_at) where handed_on_at is not null;
-- Whose a wallet is and was, and when: before its first owner signed, what it did is that one's too.
create view dashboard.wallet_holder as
  select id as account_id, wallet_address as wallet, '-infinity'::timestamptz as since, 'infinity'::timestamptz as until
  from dashboard.account
  union all
  select g.account_id, g.wallet,
    coalesce((select max(h.handed_on_at) from dashboard.agent_wallet h
      where h.wallet = g.wallet and h.id <> g.id and (g.handed_on_at is null or h.handed_on_at < g.handed_on_at)), '-infinity'),
    coalesce(g.handed_on_at, 'infinity')
  from dashboard.agent_wallet g where g.signed_at is not null;

-- When the provider last vouched for somebody: whoever it has not for long is gone, with what they made here. Those of before
-- count from now on.
alter table dashboard.provider_identity add column signed_in_at timestamptz not null default now();
