-- `wallet` stands in every key: gateways of several wallets may share a database, but never a payment, an approval or a
-- report; each reports with its own owner's API key. Times are Unix milliseconds by the clock of this database, as far
-- as gateways on several machines compare them. json and not jsonb, because a payload is sent again to the letter, and
-- another party's text may hold what jsonb refuses (\u0000). Keys that agents choose are kept as their SHA-256.

create table gateway.payment (
  wallet text not null,
  nonce text not null,
  call_key text,
  mandate_id text,
  amount numeric not null,
  -- Until then the dashboard counts the payment itself, by its hold; 0 when it never does.
  held_until bigint not null,
  -- When the dashboard had counted it as usage; the largest number while it has not.
  closed_at bigint not null default 9223372036854775807,
  unresolved boolean not null default true,
  opened_at bigint not null,
  entry json not null,
  primary key (wallet, nonce),
  unique (wallet, call_key)
);
create index payment_open on gateway.payment (wallet, mandate_id, closed_at);
create index payment_unresolved on gateway.payment (wallet, opened_at) where unresolved;

create table gateway.approval (
  wallet text not null,
  id bytea not null,
  approval json not null,
  used_at bigint,
  primary key (wallet, id)
);

create table gateway.call (
  wallet text not null,
  key bytea not null,
  call_hash text not null,
  envelope json not null,
  primary key (wallet, key)
);

-- `holder` is the process that sends the report, alone until `held_until`. A report that was set aside has a reason.
create table gateway.report (
  id bigint generated always as identity primary key,
  wallet text not null,
  report json not null,
  nonce text,
  holder text not null,
  held_until bigint not null,
  parked text
);
create index report_waiting on gateway.report (wallet, id) where parked is null;

-- A function, because it has to look again after it has waited: each of its statements sees all that was committed
-- before it (read committed), and who has the lock of a call or of a mandate is alone with it. `moment` is now,
-- `remaining` what the dashboard said was left when it was asked at `asked_at`; null waives the budget.
create function gateway.open_payment(
  of_wallet text, of_nonce text, of_call text, of_mandate text, wanted numeric, held bigint, opened bigint, written json,
  remaining numeric, asked_at bigint, by_approval bytea, moment bigint,
  out outcome text, out known json
) language plpgsql as $$
begin
  -- Always in this order, so that nobody waits for each other.
  perform pg_advisory_xact_lock(hashtextextended('call ' || of_wallet || coalesce(of_call, of_nonce), 0));
  if of_mandate is not null then
    perform pg_advisory_xact_lock(hashtextextended('mandate ' || of_wallet || of_mandate, 0));
  end if;

  select p.entry into known from gateway.payment p where p.wallet = of_wallet and p.call_key = of_call;
  if known is null then
    select p.entry into known from gateway.payment p where p.wallet = of_wallet and p.nonce = of_nonce;
  end if;
  if known is not null then
    outcome := 'known';
    return;
  end if;

  if remaining is not null and remaining < wanted + (
    select coalesce(sum(p.amount), 0) from gateway.payment p
    where p.wallet = of_wallet and p.mandate_id = of_mandate
      -- Counted while `remaining` was being asked for, it may be missing in the answer; so may a hold that ran out.
      and p.closed_at >= asked_at and p.held_until <= moment
  ) then
    outcome := 'over-budget';
    return;
  end if;

  if by_approval is not null then
    update gateway.approval a set used_at = opened
      where a.wallet = of_wallet and a.id = by_approval and a.used_at is null;
    if not found then
      outcome := 'approval-used';
      return;
    end if;
  end if;

  insert into gateway.payment (wallet, nonce, call_key, mandate_id, amount, held_until, opened_at, entry)
    values (of_wallet, of_nonce, of_call, of_mandate, wanted, coalesce(held, 0), opened, written);
  outcome := 'opened';
end
$$;
