-- As before, and alone with the nonce, too: a merchant chooses that of a challenge, and may show one challenge to calls of different
-- keys at once. One of them pays; the others then see its payment. Always in this order: call, nonce, mandate.
create or replace function gateway.open_payment(
  of_wallet text, of_nonce text, of_call text, of_mandate text, wanted numeric, held bigint, opened bigint, written json,
  remaining numeric, asked_at bigint, by_approval bytea, moment bigint, signed numeric,
  out outcome text, out known json
) language plpgsql as $$
declare
  left_for_it numeric := remaining;
begin
  -- In the order in which they are taken there too.
  perform pg_advisory_xact_lock(hashtextextended('call ' || of_wallet || coalesce(of_call, of_nonce), 0));
  perform pg_advisory_xact_lock(hashtextextended('nonce ' || of_wallet || of_nonce, 0));
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
