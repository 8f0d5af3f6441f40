-- The connected clients that the act which stopped the agent ended; null for agents that were stopped before.
alter table dashboard.agent_wallet add column stopped_connections text[];
-- An erasure deletes keys, and each asks which agents it announced.
create index agent_wallet_by_announcer on dashboard.agent_wallet (announced_by) where announced_by is not null;
