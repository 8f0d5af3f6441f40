-- When key_created was written to the audit log; null: when the key is used first.
alter table control_plane.api_key add recorded_at timestamptz;
