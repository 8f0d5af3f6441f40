-- Calls that are being run: `holder` is the gateway that runs this key, alone until `held_until`. Names of calls that are
-- not an agent's are hashed as its keys are. Times are Unix milliseconds by the clock of this database.

create table gateway.claim (
  wallet text not null,
  key bytea not null,
  call_hash text not null,
  holder text not null,
  held_until bigint not null,
  primary key (wallet, key)
);

-- Answers that did not reach their callers, for the next one who asks for the very same.
create table gateway.offer (
  wallet text not null,
  identity text not null,
  name text not null,
  until bigint not null,
  primary key (wallet, identity, name)
);

-- Of the envelope; 0 for what older gateways kept.
alter table gateway.call add column bytes integer not null default 0;
create index call_bytes on gateway.call (wallet, forget_at, bytes) where bytes > 0;

-- Each statement sees all that was committed before it (read committed), and who has the lock of a key is alone with it.
create function gateway.claim_call(
  of_wallet text, of_key bytea, of_hash text, by_holder text, moment bigint, hold_until bigint,
  out outcome text, out answer json
) language plpgsql as $$
declare
  running gateway.claim;
  kept gateway.call;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim ' || of_wallet || encode(of_key, 'hex'), 0));
  select * into running from gateway.claim c where c.wallet = of_wallet and c.key = of_key;
  if found and running.held_until > moment and running.holder <> by_holder then
    outcome := case when running.call_hash = of_hash then 'running' else 'conflict' end;
    return;
  end if;
  select * into kept from gateway.call c where c.wallet = of_wallet and c.key = of_key;
  if found then
    outcome := case when kept.call_hash = of_hash then 'answered' else 'conflict' end;
    if outcome = 'answered' then
      answer := kept.envelope;
    end if;
    return;
  end if;
  insert into gateway.claim as c (wallet, key, call_hash, holder, held_until)
    values (of_wallet, of_key, of_hash, by_holder, hold_until)
    on conflict (wallet, key) do update
      set call_hash = excluded.call_hash, holder = excluded.holder, held_until = excluded.held_until;
  outcome := 'mine';
end
$$;
