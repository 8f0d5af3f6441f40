-- Places where a credential was allowed: a person is asked about each once.
create table vault.credential_use (
  id uuid primary key,
  seq bigint generated always as identity,
  credential_id uuid not null references vault.credential (id) on delete cascade,
  origin text not null,
  path text not null,
  method text not null,
  field text not null,
  -- The person who agreed, or 'log-in form'.
  allowed_by text not null,
  created_at timestamptz not null,
  unique (credential_id, origin, path, method, field)
);
