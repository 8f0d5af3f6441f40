-- The account and the person there: `0xWALLET/ID`; null: a user of this vault alone.
alter table vault.account add column person text unique;
-- People whom a dashboard signs in have no password here: `!` is the hash of none, also to a process of an earlier version.
alter table vault.account add check ((password_hash = '!') = (person is not null));

-- Until when what was said of a person counts no longer, also of one who never came.
create table vault.person_ended (
  person text primary key,
  at timestamptz not null
);

-- Assertions that were shown: each counts once.
create table vault.assertion_shown (
  id uuid primary key,
  over_at timestamptz not null
);
create index assertion_shown_by_end on vault.assertion_shown (over_at);
create index token_by_account on vault.token (account) where revoked_at is null;
