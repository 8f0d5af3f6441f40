-- What the owner is asked about: the hash of one call at one price. Of one question one approval stands at a time; null
-- once it is answered and told, and in approvals of before.
alter table gateway.approval add column question bytea, add column expires_at bigint;
create index approval_question on gateway.approval (wallet, question) where question is not null;

-- The approval that stands for this question: an earlier one that is neither used nor over, or the new one, which is kept.
-- A function, because two that ask at once have to wait for each other and then look.
create function gateway.keep_approval(
  of_wallet text, new_id bytea, of_question bytea, written json, expires bigint, used bigint, forget bigint, moment bigint
) returns json language plpgsql as $$
declare
  standing json;
begin
  if of_question is not null then
    perform pg_advisory_xact_lock(hashtextextended('question ' || of_wallet || encode(of_question, 'hex'), 0));
    select a.approval into standing from gateway.approval a
      where a.wallet = of_wallet and a.question = of_question and a.used_at is null and a.expires_at > moment limit 1;
    if standing is not null then
      return standing;
    end if;
  end if;
  insert into gateway.approval (wallet, id, approval, question, expires_at, used_at, forget_at)
    values (of_wallet, new_id, written, of_question, expires, used, forget)
    on conflict (wallet, id) do update set approval = excluded.approval, used_at = excluded.used_at;
  return written;
end
$$;
