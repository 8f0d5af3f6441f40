-- Written at most once a minute.
alter table dashboard.session add column last_seen_at timestamptz;
update dashboard.session set last_seen_at = created_at;
alter table dashboard.session alter column last_seen_at set not null;
create index session_by_account on dashboard.session (account_id, created_at desc);
