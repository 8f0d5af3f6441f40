-- A hold keeps a share of a budget for one payment. `reporter` is who placed it, as in the log: ids are each
-- reporter's own, so nobody can take or find out another's. That an open hold has expired is seen by the clock when
-- read; nothing has to sweep.

create table dashboard.mandate_hold (
  reporter text not null,
  id text not null,
  mandate_id text not null references dashboard.mandate (id) on delete cascade,
  amount numeric(36, 18) not null check (amount >= 0),
  state text not null check (state in ('open', 'used', 'released')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (reporter, id)
);
create index mandate_hold_open on dashboard.mandate_hold (mandate_id, expires_at) include (amount)
  where state = 'open';

-- What is held is the sum of the holds that are open and have not expired; a copy on the mandate could be wrong.
alter table dashboard.mandate drop column held_amount;

create function dashboard.held_amount(of_mandate text, moment timestamptz) returns numeric language sql stable
return (
  select coalesce(sum(h.amount), 0) from dashboard.mandate_hold h
  where h.mandate_id = of_mandate and h.state = 'open' and h.expires_at > moment
);

-- A function, because it has to look twice. A plain statement that waits for the mandate's lock goes on with what it
-- saw before it waited, and would miss the holds that were placed meanwhile. Inside a volatile function (read
-- committed) every statement sees all that was committed before it; and who has the lock is alone with this budget.
-- `outcome` is 'held', the state of a mandate that is not active, 'none', or what stands in the case below.
create function dashboard.place_hold(
  moment timestamptz, holder text, owner text, hold text, on_mandate text, wanted numeric, until timestamptz,
  out outcome text, out remaining numeric, out held_until timestamptz
) language plpgsql as $$
declare
  m dashboard.mandate;
  known dashboard.mandate_hold;
begin
  select * into m from dashboard.mandate
    where id = on_mandate and (owner is null or account_id = owner) for no key update;
  outcome := case
    when m.id is null then 'none'
    when m.status in ('pending', 'active') and m.expires_at <= moment then 'expired'
    else m.status end;
  if outcome <> 'active' then return; end if;

  select * into known from dashboard.mandate_hold h where h.reporter = holder and h.id = hold;
  remaining := m.total_budget - m.used_amount - dashboard.held_amount(m.id, moment);
  held_until := known.expires_at;
  outcome := case
    when known.mandate_id <> m.id or known.amount <> wanted then 'other-content'
    when known.state = 'used' then 'used'
    when known.state = 'open' and known.expires_at > moment then 'held'
    when wanted > m.per_tx_limit then 'above-limit'
    when wanted > remaining then 'above-budget'
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
