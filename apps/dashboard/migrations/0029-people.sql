-- The people of an account besides its wallet's holder, who has no row here: so nobody removes or lowers the holder.
create table dashboard.person (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  name text not null,
  roles text[] not null check (cardinality(roles) > 0),
  -- Spelled one way (NFKC, lower case, ASCII), so that no two differ only to the eye.
  user_name text unique,
  password_hash text,
  created_at timestamptz not null,
  check ((user_name is null) = (password_hash is null))
);
create index person_by_account on dashboard.person (account_id, seq);

create table dashboard.passkey (
  credential_id text primary key,
  person_id text not null references dashboard.person (id) on delete cascade,
  rp_id text not null,
  public_key bytea not null,
  counter bigint not null,
  created_at timestamptz not null
);
create index passkey_by_person on dashboard.passkey (person_id);

create table dashboard.invitation (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  sha256 bytea not null unique,
  name text not null,
  roles text[] not null,
  -- Whose sign-in it replaces; null: somebody new.
  person_id text references dashboard.person (id) on delete cascade,
  -- Null: the wallet’s holder. Outlives the person, so it refers to nobody.
  invited_by text,
  invited_by_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
create index invitation_by_account on dashboard.invitation (account_id, seq desc);

-- Null: the wallet's holder. A release before this one takes no session of another for the holder's: their tokens have
-- an audience of their own, which it refuses.
alter table dashboard.session add column person_id text references dashboard.person (id) on delete cascade;
create index session_by_person on dashboard.session (person_id) where person_id is not null;

create table dashboard.login_failure (
  user_name text not null,
  address text not null,
  at timestamptz not null
);
create index login_failure_by_address on dashboard.login_failure (address, at);
create index login_failure_by_time on dashboard.login_failure (at);

-- Who did what, by person. It outlives the person, so it refers to nobody.
create table dashboard.account_change (
  id bigint generated always as identity primary key,
  account_id text not null references dashboard.account (id),
  -- Null: the wallet’s holder. Outlives the person, so it refers to nobody.
  person_id text,
  name text not null,
  deed text not null,
  subject text,
  -- What the answer named, where it is something else: the successor of a key that was rolled.
  result text,
  outcome text,
  at timestamptz not null
);
create index account_change_by_account on dashboard.account_change (account_id, id desc);

-- Who knows the text of a key, and who connected a client: these end with them. Null: the wallet’s holder.
alter table dashboard.api_key add column person_id text;
create index api_key_by_person on dashboard.api_key (person_id) where person_id is not null;
alter table dashboard.oauth_connection add column person_id text;
create index oauth_connection_by_person on dashboard.oauth_connection (person_id) where person_id is not null;
