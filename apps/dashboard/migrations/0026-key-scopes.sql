-- No scopes: a key as all were before, which may do what a gateway asks. With an agent it speaks for that agent's wallet alone.
alter table dashboard.api_key
  add column scopes text[],
  add column agent_wallet text,
  add column expires_at timestamptz;

-- The key that announced the agent, as long as that key is kept; null for those of before.
alter table dashboard.agent_wallet add column announced_by text references dashboard.api_key (id) on delete set null;

-- What the one act that stopped the agent ended besides it, at `revoked_at`; null for agents that were stopped before.
alter table dashboard.agent_wallet
  add column stopped_mandates text[],
  add column stopped_keys text[];
