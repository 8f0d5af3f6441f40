-- Unix milliseconds from which a row may go; the largest number while it must stay. What older gateways write beside
-- newer ones stays for good (payments) or for 30 days.

alter table gateway.payment add column forget_at bigint not null default 9223372036854775807;
update gateway.payment set forget_at = closed_at + 2592000000 where closed_at < 9223372036854775807;
create index payment_forget on gateway.payment (wallet, forget_at) where forget_at < 9223372036854775807;

alter table gateway.approval add column forget_at bigint not null
  default (extract(epoch from clock_timestamp()) * 1000)::bigint + 2592000000;
create index approval_forget on gateway.approval (wallet, forget_at);

alter table gateway.call add column forget_at bigint not null
  default (extract(epoch from clock_timestamp()) * 1000)::bigint + 2592000000;
create index call_forget on gateway.call (wallet, forget_at);
