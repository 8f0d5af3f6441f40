-- Who opened a session, as audit records name it; null for those that had ended before. Those that are open keep acting for their agent.
alter table vault.session add column opened_by text;
update vault.session s
set opened_by = 'user:' || s.account || case when t.kind = 'api' then ' token:' || t.id else '' end
from vault.token t
where t.id = s.token_id and s.ended_at is null;

-- Who did it and for which agent, and what of the page left by it. What is watched is told by the enclave, without a token.
alter table vault.operation
  alter column token_id drop not null,
  add column actor text,
  add column agent_did text,
  add column what_left json;
