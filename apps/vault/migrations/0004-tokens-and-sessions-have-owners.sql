-- A generated token ends with the one that it was generated with, at the latest. What was to live longer is cut; whose
-- maker is forgotten, which was long after its end, is revoked.
with recursive kept (id, ends) as (
  select id, expires_at from vault.token where parent is null
  union all
  select t.id, least(t.expires_at, kept.ends) from vault.token t join kept on t.parent = kept.id
)
update vault.token t
set expires_at = coalesce(kept.ends, t.expires_at),
  revoked_at = case when kept.id is null then coalesce(t.revoked_at, now()) else t.revoked_at end
from vault.token as same left join kept on kept.id = same.id
where t.id = same.id and t.expires_at is distinct from kept.ends;

-- An agent's token sees the sessions that it opened alone.
create index session_by_token on vault.session (token_id, seq desc);

-- Failed log-ins count for a name and an address together.
drop index vault.login_failure_by_username;
create index login_failure_by_both on vault.login_failure (username, address, at);
