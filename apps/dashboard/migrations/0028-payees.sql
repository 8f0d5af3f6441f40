-- Businesses that operators admit as payees without their cooperation. `admitted` is the version that counts; `proposed` one that
-- waits for a second operator.
create table dashboard.payee (
  id text primary key,
  seq bigint generated always as identity unique,
  admitted integer,
  proposed integer,
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawn_by text,
  withdraw_reason text,
  check ((withdrawn_at is null) = (withdrawn_by is null) and (withdrawn_at is null) = (withdraw_reason is null)),
  check (withdrawn_at is null or proposed is null)
);

-- What was written in a record, each time that it was. Wallets of operators as they were then.
create table dashboard.payee_version (
  payee_id text not null references dashboard.payee (id),
  version integer not null,
  legal_name text not null,
  domain text not null,
  addresses jsonb not null,
  links text[] not null,
  registry_numbers text[] not null,
  valid_until timestamptz not null,
  checked_by text not null,
  checked_at timestamptz not null,
  primary key (payee_id, version)
);
create index payee_version_by_address on dashboard.payee_version using gin (addresses jsonb_path_ops);
create trigger append_only before update or delete or truncate on dashboard.payee_version
  for each statement execute function dashboard.refuse_change();

-- Which record vouches for an address: that of its admitted version, until it is withdrawn. `networks` is null for any EVM network.
create table dashboard.payee_address (
  address text primary key,
  payee_id text not null references dashboard.payee (id),
  networks text[],
  valid_until timestamptz not null
);
create index payee_address_by_payee on dashboard.payee_address (payee_id);

create table dashboard.payee_file (
  id text primary key,
  seq bigint generated always as identity unique,
  payee_id text not null references dashboard.payee (id),
  name text not null,
  media_type text not null,
  size integer not null,
  -- Null once it was erased, as is the name.
  key_id text,
  sealed bytea,
  added_by text not null,
  added_at timestamptz not null,
  erased_at timestamptz,
  check ((key_id is null) = (erased_at is not null) and (sealed is null) = (erased_at is not null) and (name = '') = (erased_at is not null))
);
create index payee_file_by_payee on dashboard.payee_file (payee_id, seq);
create trigger append_only before delete or truncate on dashboard.payee_file
  for each statement execute function dashboard.refuse_change();
-- Of a file one thing may change, once: what it holds and is called is erased. Who added it and when stays.
create function dashboard.refuse_all_but_erasing() returns trigger language plpgsql as $$
begin
  if old.erased_at is null and new.erased_at is not null
    and to_jsonb(new) - array['name', 'key_id', 'sealed', 'erased_at'] = to_jsonb(old) - array['name', 'key_id', 'sealed', 'erased_at']
    then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only_but_erasing before update on dashboard.payee_file
  for each row execute function dashboard.refuse_all_but_erasing();

-- Payees that payments were refused for, because nobody knew them. What it says is what the report said that opened it.
create table dashboard.payee_review (
  payee text primary key,
  seq bigint generated always as identity unique,
  state text not null check (state in ('pending', 'turned-away', 'admitted')),
  opened_by text not null references dashboard.account (id),
  service_name text not null,
  tool_name text,
  host text,
  chain text not null,
  amount text,
  token_symbol text,
  kyt_result smallint,
  kyt_risk_level smallint,
  refusals bigint not null,
  opened_at timestamptz not null,
  last_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  reason text
);
create index payee_review_pending on dashboard.payee_review (opened_by) where state = 'pending';

-- Whose payments were refused.
create table dashboard.payee_review_reporter (
  payee text not null references dashboard.payee_review (payee),
  account_id text not null references dashboard.account (id),
  primary key (payee, account_id)
);

alter table dashboard.compliance_history
  add column payee_id text,
  drop constraint compliance_history_deed_check,
  add constraint compliance_history_deed_check check (deed in ('approve', 'reject', 'withdraw', 'restore', 'deny', 'undeny', 'retract',
    'read', 'admit-payee', 'change-payee', 'withdraw-payee', 'turn-payee-away', 'add-payee-file', 'read-payee-file', 'erase-payee-file'));
create index compliance_history_by_payee on dashboard.compliance_history (payee_id, id desc) where payee_id is not null;
alter table dashboard.first_word
  drop constraint first_word_deed_check,
  add constraint first_word_deed_check check (deed in ('approve', 'restore', 'undeny', 'admit-payee', 'erase-payee-file'));

-- `ask`: the owner decides about the first payment to each payee.
alter table dashboard.mandate add column new_payees text not null default 'pay' check (new_payees in ('pay', 'ask'));

-- The wallet that pays under a mandate.
create function dashboard.payer_of(m dashboard.mandate) returns text language sql stable
return coalesce(m.agent_wallet, (select a.wallet_address from dashboard.account a where a.id = m.account_id));

-- Whether the owner has signed a payment to this payee on this chain in the inbox, from the wallet that pays under the mandate.
create function dashboard.owner_has_signed_for(m dashboard.mandate, payee text, chain bigint) returns boolean language sql stable
return exists (
  select from dashboard.approval p
  where p.payer = dashboard.payer_of(m) and p.pay_to = payee and p.chain_id = chain and p.signature is not null
);
create index approval_signed on dashboard.approval (payer, pay_to) where signature is not null;

-- Every rule that the owner was told of; null: their gateway told `reason` alone.
alter table dashboard.approval add column reasons text[];

-- The rules that a payment may exceed, because the owner was asked about this very payment and told of them. That they have
-- said yes is for the gateway to see, which also takes a word that was signed elsewhere.
create function dashboard.told_to_owner(m dashboard.mandate, approval text, payee text, wanted numeric, chain bigint)
returns text[] language sql stable
return coalesce((
  select coalesce(p.reasons, array[p.reason]) from dashboard.approval p
  where p.payer = dashboard.payer_of(m) and p.id = approval and p.pay_to = payee and p.amount = wanted and p.chain_id = chain
    and p.state <> 'rejected'), '{}');

-- Whom a hold is for; null: nobody was named yet, and it is whoever is named when it is asked for again. And the approval that it goes by: the owner decided about it beyond the budget, so
-- it takes none of that away from other payments until it is paid, and has its place in the period alone.
alter table dashboard.mandate_hold add column payee text, add column approval text;

create or replace function dashboard.held_amount(of_mandate text, moment timestamptz) returns numeric language sql stable
return (
  select coalesce(sum(h.amount), 0) from dashboard.mandate_hold h
  where h.mandate_id = of_mandate and h.state = 'open' and h.expires_at > moment and h.approval is null
);

create function dashboard.held_in_all(of_mandate text, moment timestamptz) returns numeric language sql stable
return (
  select coalesce(sum(h.amount), 0) from dashboard.mandate_hold h
  where h.mandate_id = of_mandate and h.state = 'open' and h.expires_at > moment
);

-- As before, but the policy is judged first, also of a hold that stands: as if that were not there yet. `exceeded` names
-- every rule that is the owner's to lift, by its word on the wire. Without the last two arguments, as dashboards of before
-- call it, no approval counts.
drop function dashboard.place_hold;
create function dashboard.place_hold(
  moment timestamptz, reported_by text, owner text, hold text, on_mandate text, wanted numeric, until timestamptz,
  payee text, service text, holder text default '', chain bigint default null, approval text default null,
  out outcome text, out remaining numeric, out held_until timestamptz, out account text, out exceeded text[]
) language plpgsql as $$
declare
  m dashboard.mandate;
  known dashboard.mandate_hold;
  own numeric;
  told text[];
  untold text;
begin
  select * into m from dashboard.mandate
    where id = on_mandate and (owner is null or account_id = owner) and deleted_at is null for no key update;
  outcome := case
    when m.id is null then 'none'
    when m.status in ('pending', 'active') and m.expires_at <= moment then 'expired'
    when m.status = 'active' and m.paused then 'paused'
    else m.status end;
  if outcome <> 'active' then return; end if;

  -- Locked, so that a release at this very moment comes before it or after it: who is told that it stands leans on it.
  select * into known from dashboard.mandate_hold h where h.reporter = reported_by and h.id = hold for no key update;
  account := m.account_id;
  remaining := m.total_budget - m.used_amount - dashboard.held_amount(m.id, moment);
  told := dashboard.told_to_owner(m, approval, payee, wanted, chain);
  own := case when known.state = 'open' and known.expires_at > moment then known.amount else 0 end;
  -- Each holder needs it for as long as its own payment can settle; who has it already asks for no more time.
  held_until := case when holder = any(known.holders) then known.expires_at else greatest(known.expires_at, until) end;
  exceeded := array_remove(array[
    case when m.new_payees = 'ask' and not dashboard.owner_has_signed_for(m, payee, chain) then 'NEW_PAYEE' end,
    case when wanted > m.per_tx_limit then 'PER_TX_LIMIT_EXCEEDED' end,
    case when wanted > m.approval_threshold then 'APPROVAL_THRESHOLD_EXCEEDED' end,
    case when wanted > remaining + case when known.approval is null then own else 0 end then 'TOTAL_BUDGET_EXCEEDED' end,
    case when wanted > m.period_budget - dashboard.used_in_period(m, moment) - dashboard.held_in_all(m.id, moment) + own
      then 'PERIOD_BUDGET_EXCEEDED' end
  ], null);
  select rule into untold from unnest(exceeded) with ordinality as e(rule, place)
    where rule <> all(told) order by place limit 1;
  outcome := case
    when known.mandate_id <> m.id or known.amount <> wanted or (known.payee is not null and known.payee is distinct from payee)
      then 'other-content'
    when known.state = 'used' then 'used'
    when m.allowed_merchants is not null and (payee = any(m.allowed_merchants)) is not true then 'merchant'
    when m.allowed_services is not null and (service = any(m.allowed_services)) is not true then 'service'
    when untold = 'NEW_PAYEE' then 'new-payee'
    when untold = 'PER_TX_LIMIT_EXCEEDED' then 'above-limit'
    when untold = 'APPROVAL_THRESHOLD_EXCEEDED' then 'above-threshold'
    when untold = 'TOTAL_BUDGET_EXCEEDED' then 'above-budget'
    when untold = 'PERIOD_BUDGET_EXCEEDED' then 'above-period'
    when known.state = 'open' and known.expires_at > moment then 'held'
    else 'fits' end;
  exceeded := case when outcome like 'above-%' or outcome = 'new-payee' then exceeded end;
  if outcome = 'held' then
    -- Asked for without the approval it is a hold like any other: it fits, and keeps its part of the budget from now on.
    if told = '{}' and known.approval is not null then remaining := remaining - wanted; end if;
    update dashboard.mandate_hold h set holders = dashboard.with_holder(h.holders, holder), expires_at = held_until,
        approval = case when told <> '{}' then h.approval end, payee = coalesce(h.payee, place_hold.payee)
      where h.reporter = reported_by and h.id = hold;
  end if;
  if outcome <> 'fits' then return; end if;

  -- A hold that ran out or was given back reserves nothing any more: asked for again, it is placed anew.
  insert into dashboard.mandate_hold as h (reporter, id, mandate_id, amount, state, created_at, expires_at, holders, payee, approval)
    values (reported_by, hold, m.id, wanted, 'open', moment, until, array[holder], place_hold.payee,
      case when told <> '{}' then place_hold.approval end)
    on conflict (reporter, id) do update
      set state = 'open', expires_at = excluded.expires_at, holders = excluded.holders, approval = excluded.approval,
        payee = coalesce(h.payee, excluded.payee)
      where h.mandate_id = excluded.mandate_id and h.amount = excluded.amount and h.state <> 'used';
  -- Not found: the same id was placed on another mandate at this very moment.
  outcome := case when found then 'held' else 'other-content' end;
  if told = '{}' then remaining := remaining - wanted; end if;
  held_until := until;
end
$$;
