-- Services ask about the token that they were sent, which is all they know of it; null for tokens of earlier releases.
alter table control_plane.spent_token add column token_hash bytea;
-- The first time that anybody asked. Whoever asks later hears that it is spent.
alter table control_plane.spent_token add column asked_at timestamptz;
create unique index spent_token_by_hash on control_plane.spent_token (token_hash);
-- When each secret of a webhook, from its first, was replaced by the next.
alter table control_plane.webhook add column rolled_at timestamptz[] not null default '{}';
-- Until when a credential that is a certificate is valid. Of those that were kept before nobody has looked.
alter table control_plane.credential add column certificate_expires_at timestamptz;
