-- As before, but a new hold that nothing stands against is placed first, in three statements with three expressions: what PL/pgSQL prepares anew in
-- each transaction is what a hold costs beside its commit. Whatever does not fit here, or stands already, is judged below, as it was.
-- INVARIANT: what is placed first is what would be placed below (a property test says so).
create or replace function dashboard.place_hold(
  moment timestamptz, reported_by text, owner text, hold text, on_mandate text, wanted numeric, until timestamptz,
  payee text, service text, holder text default '', chain bigint default null, approval text default null,
  any_network boolean default true,
  out outcome text, out remaining numeric, out held_until timestamptz, out account text, out exceeded text[]
) language plpgsql as $$
declare
  m dashboard.mandate;
  known dashboard.mandate_hold;
  own numeric;
  held numeric;
  held_in_all numeric;
  used_in_period numeric;
  told text[] := '{}';
  is_new boolean := false;
  untold text;
  room numeric;
  room_in_period numeric;
  since date;
begin
  select l.account_id, l.total_budget - l.used_amount - wanted, l.period_budget - wanted, date_trunc(l.period_every, moment at time zone 'UTC')::date
    into account, room, room_in_period, since
    from dashboard.mandate l
    where l.id = on_mandate and (owner is null or l.account_id = owner) and l.deleted_at is null
      and l.status = 'active' and l.expires_at > moment and not l.paused and l.new_payees = 'pay' and place_hold.approval is null
      and wanted <= l.per_tx_limit and (l.approval_threshold is null or wanted <= l.approval_threshold)
      and (l.allowed_merchants is null or place_hold.payee = any(l.allowed_merchants))
      and (l.allowed_services is null or service = any(l.allowed_services))
      and (any_network or not exists (
        select from dashboard.payee_address a where a.address = place_hold.payee and not ('eip155:' || place_hold.chain = any(a.networks))))
    for no key update;
  if found then
    -- Apart, because what was committed while the lock was waited for counts: the statement above has not seen it.
    select room - coalesce(sum(h.amount) filter (where h.approval is null), 0), until into remaining, held_until
      from dashboard.mandate_hold h where h.mandate_id = on_mandate and h.state = 'open' and h.expires_at > moment
      having coalesce(sum(h.amount) filter (where h.approval is null), 0) <= room
        and (room_in_period is null or coalesce(sum(h.amount), 0) + coalesce((
          select sum(d.used) from dashboard.mandate_day d where d.mandate_id = on_mandate and d.day >= since), 0) <= room_in_period);
    if found then
      insert into dashboard.mandate_hold (reporter, id, mandate_id, amount, state, created_at, expires_at, holders, payee)
        values (reported_by, hold, on_mandate, wanted, 'open', moment, until, array[holder], place_hold.payee)
        on conflict do nothing;
      if found then outcome := 'held'; return; end if;
    end if;
  end if;

  if not any_network and exists (
    select from dashboard.payee_address a where a.address = place_hold.payee and not ('eip155:' || place_hold.chain = any(a.networks))
  ) then
    outcome := 'other-networks';
    return;
  end if;

  select * into m from dashboard.mandate l
    where l.id = on_mandate and (owner is null or l.account_id = owner) and l.deleted_at is null for no key update;
  outcome := case
    when m.id is null then 'none'
    when m.status in ('pending', 'active') and m.expires_at <= moment then 'expired'
    when m.status = 'active' and m.paused then 'paused'
    else m.status end;
  if outcome <> 'active' then return; end if;

  -- Locked, so that a release at this very moment comes before it or after it: who is told that it stands leans on it.
  select * into known from dashboard.mandate_hold h where h.reporter = reported_by and h.id = hold for no key update;
  -- As `held_amount`, and of the holds that the owner decided about too.
  select coalesce(sum(h.amount) filter (where h.approval is null), 0), coalesce(sum(h.amount), 0) into held, held_in_all
    from dashboard.mandate_hold h where h.mandate_id = m.id and h.state = 'open' and h.expires_at > moment;
  if m.period_budget is not null then
    select coalesce(sum(d.used), 0) into used_in_period from dashboard.mandate_day d
      where d.mandate_id = m.id and d.day >= date_trunc(m.period_every, moment at time zone 'UTC')::date;
  end if;
  if place_hold.approval is not null then
    told := dashboard.told_to_owner(m, place_hold.approval, place_hold.payee, wanted, place_hold.chain);
  end if;
  if m.new_payees = 'ask' then
    is_new := not dashboard.owner_has_signed_for(m, place_hold.payee, place_hold.chain);
  end if;

  account := m.account_id;
  remaining := m.total_budget - m.used_amount - held;
  own := case when known.state = 'open' and known.expires_at > moment then known.amount else 0 end;
  -- Each holder needs it for as long as its own payment can settle; who has it already asks for no more time.
  held_until := case when holder = any(known.holders) then known.expires_at else greatest(known.expires_at, until) end;
  exceeded := array_remove(array[
    case when is_new then 'NEW_PAYEE' end,
    case when wanted > m.per_tx_limit then 'PER_TX_LIMIT_EXCEEDED' end,
    case when wanted > m.approval_threshold then 'APPROVAL_THRESHOLD_EXCEEDED' end,
    case when wanted > remaining + case when known.approval is null then own else 0 end then 'TOTAL_BUDGET_EXCEEDED' end,
    case when wanted > m.period_budget - used_in_period - held_in_all + own then 'PERIOD_BUDGET_EXCEEDED' end
  ], null);
  if cardinality(exceeded) > 0 then
    select e.rule into untold from unnest(exceeded) with ordinality as e(rule, place)
      where e.rule <> all(told) order by e.place limit 1;
  end if;
  outcome := case
    when known.mandate_id <> m.id or known.amount <> wanted or (known.payee is not null and known.payee is distinct from place_hold.payee)
      then 'other-content'
    when known.state = 'used' then 'used'
    when m.allowed_merchants is not null and (place_hold.payee = any(m.allowed_merchants)) is not true then 'merchant'
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
