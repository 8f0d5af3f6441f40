-- What the domain of a business says about each of its payout addresses, as it was read last. `proved_at`: when it was proved
-- last, under the version that counts. `mark`: it was, and the domain has said otherwise since, so nobody is paid there.
create table dashboard.payee_proof (
  payee_id text not null references dashboard.payee (id),
  domain text not null,
  address text not null,
  verdict text not null,
  until timestamptz,
  checked_at timestamptz not null,
  proved_at timestamptz,
  mark text check (mark in ('DOMAIN_MOVED', 'ADDRESS_DISOWNED')),
  marked_at timestamptz,
  primary key (payee_id, domain, address),
  check ((mark is null) = (marked_at is null) and (mark is null or proved_at is not null))
);

-- Which word a version's domain takes back; null: none.
create function dashboard.domain_mark(record text, at_address text) returns text language sql stable
return (
  select f.mark from dashboard.payee_proof f
  join dashboard.payee p on p.id = f.payee_id
  join dashboard.payee_version v on v.payee_id = p.id and v.version = p.admitted and v.domain = f.domain
  where f.payee_id = record and f.address = at_address and f.mark is not null
);
