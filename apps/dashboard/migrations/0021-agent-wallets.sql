-- A wallet that pays for an owner. `consent` is its own signature, `signature` the owner's over the statement of `name`,
-- `networks` and `expires_at`; what is up for signature stands beside it, so that an earlier statement holds until then.
-- That it has expired is seen by the clock when read. `signed_at` is set by the first signature and never cleared.
create table dashboard.agent_wallet (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  wallet text not null,
  consent text not null,
  name text not null default '',
  networks text[] not null default '{}',
  expires_at timestamptz,
  signature text,
  signed_at timestamptz,
  next_name text,
  next_networks text[],
  next_expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  unique (account_id, wallet),
  check ((signature is null) = (expires_at is null) and (signature is null) = (signed_at is null)),
  check ((next_name is null) = (next_networks is null) and (next_name is null) = (next_expires_at is null))
);
create index agent_wallet_by_account on dashboard.agent_wallet (account_id, seq desc);
-- For good: no two owners may ever call a wallet's records theirs.
create unique index agent_wallet_one_owner on dashboard.agent_wallet (wallet) where signed_at is not null;

-- A wallet is an account's or an agent's, never both, whoever writes it: a dashboard of the release before asks nobody
-- when a wallet logs in. `wallet.lock` of the store takes the same lock.
create function dashboard.lock_wallet(wallet text) returns void language sql
return pg_advisory_xact_lock(hashtextextended('wallet:' || wallet, 0));

create function dashboard.account_is_no_agent() returns trigger language plpgsql as $$
begin
  perform dashboard.lock_wallet(new.wallet_address);
  if exists (select from dashboard.agent_wallet g where g.wallet = new.wallet_address and g.signed_at is not null) then
    raise exception 'this wallet is or was an agent: it gets no account' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger account_is_no_agent before insert on dashboard.account
  for each row execute function dashboard.account_is_no_agent();

create function dashboard.agent_is_no_account() returns trigger language plpgsql as $$
begin
  perform dashboard.lock_wallet(new.wallet);
  if exists (select from dashboard.account a where a.wallet_address = new.wallet) then
    raise exception 'this wallet has an account: it becomes no agent' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger agent_is_no_account before insert or update of signed_at on dashboard.agent_wallet
  for each row when (new.signed_at is not null) execute function dashboard.agent_is_no_account();

-- Every wallet whose records are an account's own: the one that logs in, and all that it ever signed as agents.
create view dashboard.account_wallet as
  select id as account_id, wallet_address as wallet, wallet_address as owner from dashboard.account
  union all
  select a.id, g.wallet, a.wallet_address
  from dashboard.agent_wallet g join dashboard.account a on a.id = g.account_id where g.signed_at is not null;

-- Null: the owner's wallet pays itself. There is one active mandate for each wallet that pays.
alter table dashboard.mandate add column agent_wallet text;
drop index dashboard.mandate_one_active;
create unique index mandate_one_active on dashboard.mandate (account_id, coalesce(agent_wallet, '')) where status = 'active';
create index mandate_by_agent on dashboard.mandate (agent_wallet, seq desc) where agent_wallet is not null;

-- The owner of a party that is an agent, where the record is the owner's word or an operator's: a stranger's is not.
alter table dashboard.transaction_log
  add column payer_owner varchar(42),
  add column payee_owner varchar(42);
