-- Who paused a session: what a person paused, only a person resumes. What is paused already, an earlier enclave told of.
alter table vault.session
  add column paused_by text check (paused_by in ('person', 'agent'));
