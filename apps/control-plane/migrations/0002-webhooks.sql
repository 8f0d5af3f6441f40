create table control_plane.webhook (
  id uuid primary key,
  tenant_id text not null,
  url text not null,
  events text[] not null,
  created_by text not null,
  created_at timestamptz not null,
  -- Why nothing is sent any more; null while it is.
  disabled_because text
);
create index webhook_by_tenant on control_plane.webhook (tenant_id, created_at);

-- What happened, as it is sent: ids and states, never params or values.
create table control_plane.webhook_event (
  id uuid primary key,
  tenant_id text not null,
  type text not null,
  -- The body to the letter, which is what is signed.
  body text not null,
  at timestamptz not null
);
create index webhook_event_by_age on control_plane.webhook_event (at);

create table control_plane.webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references control_plane.webhook on delete cascade,
  event_id uuid not null references control_plane.webhook_event on delete cascade,
  attempts integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'exhausted')),
  -- HTTP status of the last answer, or why there was none; never a word of the receiver.
  last_outcome text,
  last_at timestamptz,
  created_at timestamptz not null
);
create index webhook_delivery_by_webhook on control_plane.webhook_delivery (webhook_id, created_at desc);
create index webhook_delivery_by_event on control_plane.webhook_delivery (event_id);
