-- Lists of one policy, one user or one service, newest first.
create index execution_by_policy on control_plane.execution (tenant_id, policy_id, seq desc);
create index execution_by_user on control_plane.execution (tenant_id, user_id, seq desc);
create index execution_by_service on control_plane.execution (tenant_id, service, seq desc);
