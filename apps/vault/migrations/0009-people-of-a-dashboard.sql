-- People whom a dashboard signs in have no password here.
alter table vault.account alter column password_hash drop not null;
-- The account and the person there: `0xWALLET/ID`; null: a user of this vault alone.
alter table vault.account add column person text unique;
-- What was said of them before that counts no longer.
alter table vault.account add column person_ended_at timestamptz;
alter table vault.account add check ((password_hash is null) = (person is not null));

-- Assertions that were shown: each counts once.
create table vault.assertion_shown (
  id uuid primary key,
  over_at timestamptz not null
);
create index assertion_shown_by_end on vault.assertion_shown (over_at);
create index token_by_account on vault.token (account) where revoked_at is null;
