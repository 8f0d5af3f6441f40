-- All that has left for a mandate and is not known to be unused, for as long as the mandate may be: what its owner signed
-- is kept by this gateway too, and not only by a dashboard that may forget what it counted.

create table gateway.spent (
  wallet text not null,
  mandate_id text not null,
  amount numeric not null,
  primary key (wallet, mandate_id)
);
insert into gateway.spent (wallet, mandate_id, amount)
  select wallet, mandate_id, sum(amount) from gateway.payment where mandate_id is not null group by wallet, mandate_id;

-- `signed` is the total that the owner signed; null waives it. Older gateways go on with the function that has none.
create function gateway.open_payment(
  of_wallet text, of_nonce text, of_call text, of_mandate text, wanted numeric, held bigint, opened bigint, written json,
  remaining numeric, asked_at bigint, by_approval bytea, moment bigint, signed numeric,
  out outcome text, out known json
) language plpgsql as $$
declare
  left_for_it numeric := remaining;
begin
  -- In the order in which they are taken there too.
  perform pg_advisory_xact_lock(hashtextextended('call ' || of_wallet || coalesce(of_call, of_nonce), 0));
  if of_mandate is not null then
    perform pg_advisory_xact_lock(hashtextextended('mandate ' || of_wallet || of_mandate, 0));
  end if;
  if signed < wanted + coalesce(
    (select s.amount from gateway.spent s where s.wallet = of_wallet and s.mandate_id = of_mandate), 0
  ) then
    left_for_it := 0;
  end if;

  select p.outcome, p.known into outcome, known from gateway.open_payment(
    of_wallet, of_nonce, of_call, of_mandate, wanted, held, opened, written,
    left_for_it, asked_at, by_approval, moment
  ) p;
  if outcome = 'opened' and of_mandate is not null then
    insert into gateway.spent as s (wallet, mandate_id, amount) values (of_wallet, of_mandate, wanted)
      on conflict (wallet, mandate_id) do update set amount = s.amount + excluded.amount;
  end if;
end
$$;
