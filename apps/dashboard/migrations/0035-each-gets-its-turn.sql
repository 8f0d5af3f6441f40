-- When each was tried last: who cannot be ended goes behind those who wait, and holds up none of them.
-- Of endings, which part was told when, in milliseconds.
alter table dashboard.person_ending add column tried jsonb not null default '{}';
alter table dashboard.recovery_claim add column tried_at timestamptz;
alter table dashboard.provider_identity add column tried_at timestamptz;

-- Since when people could sign in through a provider without a long interruption, and when that was last so. One row.
create table dashboard.provider_open (
  one boolean primary key default true check (one),
  since timestamptz not null,
  seen_at timestamptz not null
);
