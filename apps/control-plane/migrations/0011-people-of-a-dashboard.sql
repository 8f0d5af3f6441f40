-- People whom a dashboard signs in decide as keys do, but nobody has the text of theirs: they come with tokens of a few
-- minutes. `reader`: such a person, who only looks.
alter table control_plane.api_key drop constraint api_key_role_check;
alter table control_plane.api_key add constraint api_key_role_check
  check (role in ('admin', 'service', 'approver', 'reader'));
-- The account there, and of its people which one; null: a key of this control plane alone.
alter table control_plane.api_key add column account text;
alter table control_plane.api_key add column person text;
alter table control_plane.api_key add check ((account is null) = (person is null));
create unique index api_key_by_person on control_plane.api_key (account, person)
  where revoked_at is null and person is not null;

create table control_plane.person_token (
  hash bytea primary key,
  key_id uuid not null references control_plane.api_key (id),
  -- Of the dashboard's session.
  session uuid,
  expires_at timestamptz not null
);
create index person_token_by_key on control_plane.person_token (key_id);
create index person_token_by_end on control_plane.person_token (expires_at);

-- Since when what was said of a person before counts no longer.
create table control_plane.person_ended (
  account text not null,
  person text not null,
  at timestamptz not null,
  primary key (account, person)
);

-- Assertions that were shown: each counts once.
create table control_plane.assertion_shown (
  id uuid primary key,
  over_at timestamptz not null
);
create index assertion_shown_by_end on control_plane.assertion_shown (over_at);
