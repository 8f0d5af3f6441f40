-- Who leans on a hold, each by a name of its own choice; '' is whoever gave none. The amount counts once, and is free
-- when the last of them has let go. Holds of before have nobody's name.
alter table dashboard.mandate_hold add column holders text[] not null default '{""}';

-- A hold that stands has one holder more. Beyond 32 names nobody is noted by name: the hold then runs out, or is ended.
create function dashboard.with_holder(known text[], newcomer text) returns text[] language sql immutable
return (
  select case when name = any(known) then known else known || name end
  from (select case when cardinality(known) < 32 then newcomer else '' end as name) n
);

-- As before, with the one who asks. Without that argument, as dashboards of before call it, it is nobody's name.
drop function dashboard.place_hold;
create function dashboard.place_hold(
  moment timestamptz, reported_by text, owner text, hold text, on_mandate text, wanted numeric, until timestamptz,
  payee text, service text, holder text default '',
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

  -- Locked, so that a release at this very moment comes before it or after it: who is told that it stands leans on it.
  select * into known from dashboard.mandate_hold h where h.reporter = reported_by and h.id = hold for no key update;
  account := m.account_id;
  held := dashboard.held_amount(m.id, moment);
  remaining := m.total_budget - m.used_amount - held;
  -- Each holder needs it for as long as its own payment can settle; who has it already asks for no more time.
  held_until := case when holder = any(known.holders) then known.expires_at else greatest(known.expires_at, until) end;
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
  if outcome = 'held' then
    update dashboard.mandate_hold h set holders = dashboard.with_holder(h.holders, holder), expires_at = held_until
      where h.reporter = reported_by and h.id = hold;
  end if;
  if outcome <> 'fits' then return; end if;

  -- A hold that ran out or was given back reserves nothing any more: asked for again, it is placed anew.
  insert into dashboard.mandate_hold as h (reporter, id, mandate_id, amount, state, created_at, expires_at, holders)
    values (reported_by, hold, m.id, wanted, 'open', moment, until, array[holder])
    on conflict (reporter, id) do update
      set state = 'open', expires_at = excluded.expires_at, holders = excluded.holders
      where h.mandate_id = excluded.mandate_id and h.amount = excluded.amount and h.state <> 'used';
  -- Not found: the same id was placed on another mandate at this very moment.
  outcome := case when found then 'held' else 'other-content' end;
  remaining := remaining - wanted;
  held_until := until;
end
$$;
