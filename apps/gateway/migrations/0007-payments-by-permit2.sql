-- Forgets a payment that did not settle, and gives its budget back: only while nobody knows its outcome, and only the very one that was
-- opened at this moment. Null for `written` where it does not matter who looks after it. In two steps, because of what follows.
create function gateway.forget_payment(of_wallet text, of_nonce text, opened bigint, written text) returns boolean language plpgsql as $$
declare
  gone gateway.payment;
begin
  update gateway.payment set unresolved = false
    where wallet = of_wallet and nonce = of_nonce and opened_at = opened and unresolved and (written is null or entry::text = written);
  if not found then
    return false;
  end if;
  delete from gateway.payment where wallet = of_wallet and nonce = of_nonce returning * into gone;
  update gateway.spent s set amount = s.amount - gone.amount where s.wallet = of_wallet and s.mandate_id = gone.mandate_id;
  return true;
end
$$;

-- Gateways of before, which may run on for a moment, know nothing of payments by Permit2: they look for the nonce at the token, where it
-- is never used, and delete what may have been taken. They delete in one step.
create function gateway.keep_payment() returns trigger language plpgsql as $$
begin
  return null;
end
$$;
create trigger payment_by_permit2_is_kept before delete on gateway.payment for each row
  when (old.unresolved and strpos(old.entry::text, '"permit2Authorization"') > 0)
  execute function gateway.keep_payment();
