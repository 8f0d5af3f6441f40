-- When it is to be sent next. Whoever sends it puts that off for as long as it may take: who died meanwhile has not sent it.
alter table control_plane.webhook_delivery add column due_at timestamptz not null default now();
create index webhook_delivery_due on control_plane.webhook_delivery (webhook_id, due_at) where state = 'waiting';
