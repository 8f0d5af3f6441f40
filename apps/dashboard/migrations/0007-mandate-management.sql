-- `signed_budget` is the ceiling that the owner signed; `total_budget` may be moved below it without a new signature.
-- Null while no signature holds.
alter table dashboard.mandate add column signed_budget numeric(36, 18);
update dashboard.mandate set signed_budget = total_budget where signature is not null;
alter table dashboard.mandate add check ((signature is null) = (signed_budget is null));
alter table dashboard.mandate add check (status <> 'active' or total_budget <= signed_budget);

-- A deleted mandate is gone for its owner. The row stays: payments that were made under it are still reported.
alter table dashboard.mandate add column deleted_at timestamptz;
alter table dashboard.mandate add check (deleted_at is null or status <> 'active');

-- The policy stands beside what was signed, and can only refuse what that allows. Null lifts a rule.
alter table dashboard.mandate
  add column paused boolean not null default false,
  add column period_every text check (period_every in ('day', 'week', 'month')),
  add column period_budget numeric(36, 18) check (period_budget >= 0),
  add column allowed_merchants text[],
  add column allowed_services text[],
  add column approval_threshold numeric(36, 18) check (approval_threshold >= 0),
  add check ((period_every is null) = (period_budget is null));
