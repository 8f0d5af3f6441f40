-- Whether the gateway sent the arguments of the call along, or their hash alone.
alter table dashboard.approval add column arguments_sent boolean not null default false;

-- The arguments, sealed with the key of the evidence and bound to their row; deleted a day after the decision.
create table dashboard.approval_arguments (
  payer text not null,
  id text not null,
  key_id text not null,
  sealed bytea not null,
  primary key (payer, id),
  foreign key (payer, id) references dashboard.approval (payer, id) on delete cascade
);
