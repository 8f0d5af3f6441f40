-- When each was tried last: who cannot be ended goes behind those who wait, and holds up none of them.
-- Of endings, which part was told when, in milliseconds.
alter table dashboard.person_ending add column tried jsonb not null default '{}';
alter table dashboard.recovery_claim add column tried_at timestamptz;
alter table dashboard.provider_identity add column tried_at timestamptz;
