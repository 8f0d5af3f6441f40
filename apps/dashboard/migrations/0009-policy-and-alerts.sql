-- What was consumed of a mandate on each day (UTC): period budgets are sums over at most 31 of these.
create table dashboard.mandate_day (
  mandate_id text not null references dashboard.mandate (id) on delete cascade,
  day date not null,
  used numeric(54, 18) not null,
  primary key (mandate_id, day)
);
insert into dashboard.mandate_day (mandate_id, day, used)
  select m.id, (t.created_at at time zone 'UTC')::date, sum(coalesce(t.amount_exact, 0))
  from dashboard.transaction_log t join dashboard.mandate m on m.id = t.intent_mandate_id
  where t.service_result = 'pass' group by 1, 2;

-- Each kind once for each mandate.
create table dashboard.alert (
  id bigint generated always as identity primary key,
  account_id text not null references dashboard.account (id),
  mandate_id text not null references dashboard.mandate (id) on delete cascade,
  kind text not null check (kind in ('budget_50', 'budget_80', 'budget_100', 'expires_soon')),
  created_at timestamptz not null,
  seen_at timestamptz,
  unique (mandate_id, kind)
);
create index alert_by_account on dashboard.alert (account_id, id desc);
create index mandate_by_expiry on dashboard.mandate (expires_at) where status in ('pending', 'active');

-- Calendar periods in UTC; weeks begin on Monday. Null without a period, which no day is after.
create function dashboard.used_in_period(m dashboard.mandate, moment timestamptz) returns numeric language sql stable
return (
  select coalesce(sum(d.used), 0) from dashboard.mandate_day d
  where d.mandate_id = m.id and d.day >= date_trunc(m.period_every, moment at time zone 'UTC')::date
);

-- As before, with the policy. Each rule of it is one more way not to fit: none lets anything through that the signed
-- limits refuse. A rule that is lifted is null, and a comparison with null is not true.
drop function dashboard.place_hold;
create function dashboard.place_hold(
  moment timestamptz, holder text, owner text, hold text, on_mandate text, wanted numeric, until timestamptz,
  payee text, service text,
  out outcome text, out remaining numeric, out held_until timestamptz, out account text
) language plpgsql as $$
declare
  m dashboard.mandate;
  known dashboard.mandate_hold;
  held numeric;
begin
  select * into m from dashboard.mandate
    where id = on_mandate and (owner is null or account_id = owner) and deleted_at is null for no key update;
  outcome := case
    when m.id is null then 'none'
    when m.status in ('pending', 'active') and m.expires_at <= moment then 'expired'
    when m.status = 'active' and m.paused then 'paused'
    else m.status end;
  if outcome <> 'active' then return; end if;

  select * into known from dashboard.mandate_hold h where h.reporter = holder and h.id = hold;
  account := m.account_id;
  held := dashboard.held_amount(m.id, moment);
  remaining := m.total_budget - m.used_amount - held;
  held_until := known.expires_at;
  outcome := case
    when known.mandate_id <> m.id or known.amount <> wanted then 'other-content'
    when known.state = 'used' then 'used'
    when known.state = 'open' and known.expires_at > moment then 'held'
    when m.allowed_merchants is not null and (payee = any(m.allowed_merchants)) is not true then 'merchant'
    when m.allowed_services is not null and (service = any(m.allowed_services)) is not true then 'service'
    when wanted > m.per_tx_limit then 'above-limit'
    when wanted > m.approval_threshold then 'above-threshold'
    when wanted > remaining then 'above-budget'
    when wanted > m.period_budget - dashboard.used_in_period(m, moment) - held then 'above-period'
    else 'fits' end;
  if outcome <> 'fits' then return; end if;

  -- A hold that ran out or was given back reserves nothing any more: asked for again, it is placed anew.
  insert into dashboard.mandate_hold as h (reporter, id, mandate_id, amount, state, created_at, expires_at)
    values (holder, hold, m.id, wanted, 'open', moment, until)
    on conflict (reporter, id) do update set state = 'open', expires_at = excluded.expires_at
      where h.mandate_id = excluded.mandate_id and h.amount = excluded.amount and h.state <> 'used';
  -- Not found: the same id was placed on another mandate at this very moment.
  outcome := case when found then 'held' else 'other-content' end;
  remaining := remaining - wanted;
  held_until := until;
end
$$;
