-- What was said of a person is taken for minutes, so that they ended is of use for no longer.
create index person_ended_by_time on control_plane.person_ended (at);
