-- A chain's name in another case, or with blanks around it, was a chain of its own until now, and a hash without `0x` one of
-- its own: both are spelled as ours are, also by a release that does not know this yet, while both share the tables.

-- Blanks are what JavaScript trims, and small letters its own, whatever the locale of the database: a Turkish one has no i for I.
create function dashboard.trimmed(given text) returns text language sql immutable parallel safe as $$
  select btrim(given, E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
$$;

create function dashboard.spelled_chain(name text) returns text language sql immutable parallel safe as $$
  select coalesce(
    (select known from unnest(array['ETH', 'ethereum', 'base', 'base-sepolia', 'polygon', 'arbitrum', 'optimism']) known
     where lower(known) = plain),
    case when plain ~ '^(eip155:)?[0-9]+$' then plain else name end)
  from (select lower(dashboard.trimmed(name) collate "C") as plain) given
$$;

-- The names of a chain that is spelled as ours are, its CAIP-2 id first: that one is in the key that makes two reports the same.
create function dashboard.chain_names(chain text) returns text[] language sql immutable parallel safe as $$
  select coalesce(
    (select names from (values
       (array['eip155:1', 'ETH', 'ethereum', '1']), (array['eip155:8453', 'base', '8453']),
       (array['eip155:84532', 'base-sepolia', '84532']), (array['eip155:137', 'polygon', '137']),
       (array['eip155:42161', 'arbitrum', '42161']), (array['eip155:10', 'optimism', '10'])) known (names)
     where chain = any(names)),
    case when chain ~ '^(eip155:)?[0-9]+$'
      then array['eip155:' || replace(chain, 'eip155:', ''), replace(chain, 'eip155:', '')] end,
    array[chain])
$$;

create function dashboard.spelled_hash(names text[], hash text) returns text language sql immutable parallel safe as $$
  select case when hash ~ '^0x[0-9a-fA-F]{64}$' or names[1] not like 'eip155:%' then hash
    else coalesce('0x' || (regexp_match(dashboard.trimmed(hash), '^(?:0[xX])?([0-9a-fA-F]{64})$'))[1], hash) end
$$;

-- From here on until this is committed nobody else writes to the log, counts it or says what its records are.
lock table dashboard.transaction_log in share row exclusive mode;
select from dashboard.wallet_day_progress for share;

-- An ordinary table, dropped below: a role that owns the schema may not be allowed temporary ones.
create table dashboard.respelled as
select t.id, t.created_at, t.reporter, t.payer, t.payee, c.chain, c.names, dashboard.spelled_hash(c.names, t.tx_hash) as tx_hash,
  -- Without an owner's approval the chain is a part of the payment's name too.
  case when t.chain <> c.chain and t.payment is not null and dashboard.noted(t.metadata, 'approvalId', 128) is null
    then coalesce(t.payee, '') || ' ' || c.chain || ' ' || dashboard.noted(t.metadata, 'nonce', 128)
    else t.payment end as payment
from (
  select given, chain, dashboard.chain_names(chain) as names
  from (select chain as given, dashboard.spelled_chain(chain) as chain from dashboard.transaction_log group by 1) each_chain
) c join dashboard.transaction_log t on t.chain = c.given
where t.chain <> c.chain or t.tx_hash <> dashboard.spelled_hash(c.names, t.tx_hash);
analyze dashboard.respelled;

update dashboard.transaction_log t set chain = r.chain, tx_hash = r.tx_hash, payment = r.payment
from dashboard.respelled r where t.id = r.id and t.created_at = r.created_at;

-- They are not taken once more.
insert into dashboard.transaction_key as k (reporter, dedupe_key, transaction_id)
select reporter, sha256(convert_to('["hash",' || to_json(names[1]) || ',' || to_json(lower(tx_hash)) || ']', 'UTF8')), min(id)
from dashboard.respelled where tx_hash is not null group by 1, 2
on conflict on constraint transaction_key_pkey do update set transaction_id = least(k.transaction_id, excluded.transaction_id);

-- What is one payment now is one record to each of its parties, as `settle_payment` says for one payment. That would take a
-- lock for each until the end, of which there are some thousands. Where there is one record only nothing changes.
with payment as (
  select distinct names, lower(tx_hash) as hash, payer, payee from dashboard.respelled where tx_hash is not null
), found as (
  select t.id, t.created_at, t.payer, t.payee, t.service_result, t.amount_exact, t.payer_standing, t.payee_standing,
    p.names[1] as chain, p.hash,
    case when t.reported_by = 'payer' then 1 when t.reported_by = 'operator' then 2 when t.verified then 3 else 4 end as for_payer,
    case when t.reported_by = 'payee' or t.reported_by = 'payer' and t.payee = t.payer then 1 when t.reported_by = 'operator' then 2 when t.verified then 3 else 4 end as for_payee
  from payment p join dashboard.transaction_log t on lower(t.tx_hash) = p.hash and t.chain = any(p.names)
    and t.payer is not distinct from p.payer and t.payee is not distinct from p.payee
), judged as (
  select f.*, count(*) over payment as records,
    case when row_number() over (payment order by f.for_payer, f.id) > 1 then 'double'
         when f.for_payer < 4 then 'counted' else 'claimed' end as payer_now,
    case when row_number() over (payment order by f.for_payee, f.id) > 1 then 'double'
         when f.for_payee < 4 then 'counted' else 'claimed' end as payee_now
  from found f window payment as (partition by f.hash, f.chain, f.payer, f.payee)
), changing as (
  select * from judged where records > 1 and (payer_standing, payee_standing) <> (payer_now, payee_now)
), changed as (
  update dashboard.transaction_log t set payer_standing = c.payer_now, payee_standing = c.payee_now
  from changing c where t.id = c.id and t.created_at = c.created_at
), side as (
  select c.payer as party, case when c.payee = c.payer then 'self' else 'payer' end as role, c.created_at,
    c.service_result, c.amount_exact, (c.payer_now = 'counted')::int - (c.payer_standing = 'counted')::int as change
  from changing c where c.payer is not null
  union all
  select c.payee, 'payee', c.created_at, c.service_result, c.amount_exact,
    (c.payee_now = 'counted')::int - (c.payee_standing = 'counted')::int
  from changing c where c.payee is not null and c.payee is distinct from c.payer
)
insert into dashboard.wallet_day as d (wallet, day, role, service_result, transactions, amount)
select s.party, (s.created_at at time zone 'UTC')::date, s.role, s.service_result, sum(s.change),
  sum(s.change * coalesce(s.amount_exact, 0))
from side s
where s.change <> 0 and s.created_at < (select p.counted_until from dashboard.wallet_day_progress p)
group by 1, 2, 3, 4 order by 1, 2, 3, 4
on conflict on constraint wallet_day_pkey do update
  set transactions = d.transactions + excluded.transactions, amount = d.amount + excluded.amount;

-- The same for the steps of a payment, as `settle_steps` says for one.
with payment as (
  select distinct reporter, payment, payer from dashboard.respelled where payment is not null
), found as (
  select t.id, t.created_at, t.payer, t.payee, t.service_result, t.amount_exact, t.tx_hash, t.payer_standing, t.payee_standing,
    row_number() over (partition by t.reporter, t.payment, t.payer order by
      t.service_result = 'pass' desc, t.service_result = 'error' desc, t.created_at desc, t.id desc) as place
  from payment p join dashboard.transaction_log t on t.payment = p.payment and t.reporter = p.reporter
    and t.payer is not distinct from p.payer
), step as (
  select * from found where place > 1 and service_result <> 'pass' and tx_hash is null
    and (payer_standing, payee_standing) <> ('double', 'double')
), changed as (
  update dashboard.transaction_log t set payer_standing = 'double', payee_standing = 'double'
  from step s where t.id = s.id and t.created_at = s.created_at
), side as (
  select s.payer as party, case when s.payee = s.payer then 'self' else 'payer' end as role, s.created_at, s.service_result, s.amount_exact
  from step s where s.payer is not null and s.payer_standing = 'counted'
  union all
  select s.payee, 'payee', s.created_at, s.service_result, s.amount_exact
  from step s where s.payee is not null and s.payee is distinct from s.payer and s.payee_standing = 'counted'
)
insert into dashboard.wallet_day as d (wallet, day, role, service_result, transactions, amount)
select s.party, (s.created_at at time zone 'UTC')::date, s.role, s.service_result, -count(*), -sum(coalesce(s.amount_exact, 0))
from side s
where s.created_at < (select p.counted_until from dashboard.wallet_day_progress p)
group by 1, 2, 3, 4 order by 1, 2, 3, 4
on conflict on constraint wallet_day_pkey do update
  set transactions = d.transactions + excluded.transactions, amount = d.amount + excluded.amount;

-- What was reported lately is looked for on its chain, as 0016 did for the spellings that it knew.
insert into dashboard.transfer_check (transaction_id, created_at, reporter, due)
select id, created_at, reporter, now() + row_number() over (order by created_at desc) * interval '100 milliseconds'
from dashboard.respelled join dashboard.transaction_log t using (id, created_at, reporter)
where created_at > now() - interval '30 days' and t.service_result <> 'reject'
  and t.tx_hash is not null and t.amount_exact is not null and t.payer is not null and t.payee is not null
on conflict do nothing;
drop table dashboard.respelled;

-- What a release writes that does not know this yet.
create function dashboard.spell_as_ours() returns trigger language plpgsql as $$
declare
  given text := new.chain;
begin
  new.chain := dashboard.spelled_chain(given);
  new.tx_hash := dashboard.spelled_hash(dashboard.chain_names(new.chain), new.tx_hash);
  if new.chain <> given and new.payment is not null and dashboard.noted(new.metadata, 'approvalId', 128) is null then
    new.payment := coalesce(new.payee, '') || ' ' || new.chain || ' ' || dashboard.noted(new.metadata, 'nonce', 128);
  end if;
  return new;
end
$$;
create trigger spell_as_ours before insert on dashboard.transaction_log for each row
  when ((new.chain ~ '[^a-z0-9:-]' and new.chain <> 'ETH') or new.chain = 'eth' or new.tx_hash !~ '^0x[0-9a-fA-F]{64}$')
  execute function dashboard.spell_as_ours();
