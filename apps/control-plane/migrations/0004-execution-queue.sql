-- How many wait and how many run, told whenever somebody looks at /ready or /metrics.
create index execution_at_work on control_plane.execution (status) where status in ('pending', 'running');
