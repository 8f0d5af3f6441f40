-- A file of its own: no record is written while they are built, but records are read, and nothing else waits with them.
create index transaction_log_by_payer_owner on dashboard.transaction_log (payer_owner, created_at desc, id desc)
  include (service_result, chain, service_name, payer, payee, reported_by, tool_name, agent, reason,
    payer_standing, payee_standing)
  where payer_owner is not null;
create index transaction_log_by_payee_owner on dashboard.transaction_log (payee_owner, created_at desc, id desc)
  include (service_result, chain, service_name, payer, payee, reported_by, tool_name, agent, reason,
    payer_standing, payee_standing)
  where payee_owner is not null;
