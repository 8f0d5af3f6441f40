import type { Address } from '@countersign/protocol/address';
import type { DomainMark } from '@countersign/protocol/dashboard/payee-domain';
import type { PayoutAddress } from '@countersign/protocol/dashboard/payees';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { firstRow, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import type { SignedBy } from '../auth/wallet-signature.ts';
import type { FetchPublic } from '../fetch-public.ts';
import { readPayeeFile, type Said, saidOf } from './domain-file.ts';

export type DomainParts = {
  readonly pool: Pool;
  readonly fetchPublic: FetchPublic;
  readonly signedBy: SignedBy;
  /** CAIP-2 id of the dashboard's own chain. */
  readonly chain: string;
  readonly now: () => Date;
};

/** Payout addresses of a record, and the domain that may name them. */
type Claimed = { readonly domain: string; readonly addresses: readonly PayoutAddress[] };

type Due = Claimed & { readonly id: string };

type Answer = Said & { readonly address: Address };

/** Returns what a domain states about each of these addresses now. Never rejects. */
export async function askDomain(
  { fetchPublic, ...judging }: Pick<DomainParts, 'fetchPublic' | 'signedBy' | 'chain'>,
  { domain, addresses }: Claimed,
  now: Date,
): Promise<readonly Answer[]> {
  const found = await readPayeeFile(fetchPublic, domain);
  return Promise.all(
    addresses.map(async (payout) => ({
      address: payout.address,
      ...(typeof found === 'string'
        ? { verdict: found, until: null }
        : await saidOf(found, { ...payout, domain }, { ...judging, now })),
    })),
  );
}

/**
 * Silence takes nothing back: nobody reached, a file or signature that cannot be read, a proof whose time is over. A domain
 * that has once vouched for an address takes it back by sending elsewhere, by naming another domain or address, or by
 * having no file any more; until it vouches for it again. An answer that was asked for earlier changes nothing.
 */
const keep = statement(
  'payee-proof.keep',
  `insert into dashboard.payee_proof as f (payee_id, domain, address, verdict, until, checked_at, proved_at)
   select $1, $2, s.address, s.verdict, s.until, $4, case when s.verdict = 'PROVED' then $4::timestamptz end
   from jsonb_to_recordset($3::jsonb) as s(address text, verdict text, until timestamptz)
   on conflict (payee_id, domain, address) do update set
     verdict = excluded.verdict, until = excluded.until, checked_at = excluded.checked_at,
     proved_at = coalesce(excluded.proved_at, f.proved_at),
     mark = case
       when excluded.verdict = 'PROVED' or f.proved_at is null then null
       when excluded.verdict in ('REDIRECTED', 'NO_FILE', 'OTHER_DOMAIN') then 'DOMAIN_MOVED'
       when excluded.verdict = 'NOT_NAMED' then 'ADDRESS_DISOWNED'
       else f.mark end,
     marked_at = case
       when excluded.verdict = 'PROVED' or f.proved_at is null then null
       when excluded.verdict in ('REDIRECTED', 'NO_FILE', 'OTHER_DOMAIN', 'NOT_NAMED') then coalesce(f.marked_at, excluded.checked_at)
       else f.marked_at end
   where f.checked_at <= excluded.checked_at`,
);

/** Asks the domain of a version about its addresses, and keeps what it says beside the record. */
export async function checkDomain(
  parts: DomainParts,
  payeeId: string,
  claimed: Claimed,
  stopping?: AbortSignal,
): Promise<void> {
  const at = parts.now();
  const said = await askDomain(parts, claimed, at);
  // Whoever stops hears nobody, which says nothing of the domain.
  if (stopping?.aborted === true) return;
  await keepSaid(parts.pool, { ...claimed, id: payeeId }, said, at);
}

const keepSaid = (pool: Pool, { id, domain }: Due, said: readonly Answer[], at: Date) =>
  rows(pool, keep, [id, domain, JSON.stringify(said), at]);

const renew = statement(
  'payee-proof.renew',
  `update dashboard.payee_proof set mark = null, marked_at = null, proved_at = case when verdict = 'PROVED' then proved_at end
   where payee_id = $1`,
);

/**
 * Deletes the marks of addresses that the domain had retracted: the operator has just decided knowing of
 * them.
 */
export async function forgetMarks(db: Queryable, payeeId: string): Promise<void> {
  await rows(db, renew, [payeeId]);
}

/**
 * Selects current and proposed versions of records that are not withdrawn: once a day, and hourly after a
 * retraction.
 */
const due = statement<Due>(
  'payee-proof.due',
  `select p.id, v.domain, v.addresses from dashboard.payee p
   join dashboard.payee_version v on v.payee_id = p.id and v.version in (p.admitted, p.proposed)
   cross join lateral (
     select min(coalesce(f.checked_at, '-infinity')) as last, bool_or(f.mark is not null) as marked
     from jsonb_to_recordset(v.addresses) as a(address text)
     left join dashboard.payee_proof f on f.payee_id = p.id and f.domain = v.domain and f.address = a.address
   ) k
   where p.withdrawn_at is null
     and k.last <= $1::timestamptz - case when k.marked then interval '1 hour' else interval '1 day' end
   order by k.last, p.seq limit $2`,
);

const [atOnce, inATurn] = [4, 100];

/** Asks domains now and then; stops within what one answer takes. */
export function startDomainChecks(parts: DomainParts, log: Logger): Service {
  const stopping = new AbortController();
  const asking = repeat(log, 'ask domains of payees', 300_000, () => askDue(parts, stopping.signal, log));
  return {
    stop: () => {
      stopping.abort();
      return asking.stop();
    },
  };
}

/** Asks domains again whose last word is old: a few at a time. Several processes may ask the same one. */
export async function askDue(parts: DomainParts, stopping: AbortSignal, log: Logger): Promise<void> {
  const waiting = [...(await rows(parts.pool, due, [parts.now(), inATurn]))];
  const fetchPublic: FetchPublic = (url) => parts.fetchPublic(url, stopping);
  const asking = { ...parts, fetchPublic };
  while (waiting.length > 0 && !stopping.aborted)
    await Promise.all(waiting.splice(0, atOnce).map((each) => askOne(asking, each, stopping, log)));
}

/** Checks one record. One that fails waits for its next turn, so that it does not block the others. */
async function askOne(parts: DomainParts, each: Due, stopping: AbortSignal, log: Logger): Promise<void> {
  try {
    await checkDomain(parts, each.id, each, stopping);
  } catch (error) {
    log.warn({ err: error, payee: each.id }, 'the domain of a payee could not be checked');
    const said = each.addresses.map(({ address }) => ({
      address,
      verdict: 'UNREADABLE' as const,
      until: null,
    }));
    if (!stopping.aborted) await keepSaid(parts.pool, each, said, parts.now());
  }
}

/** Selects what the domain of the current version has retracted about an address of this record. */
export const marksOf = (record: string, address: string): string =>
  `select f.mark from dashboard.payee_proof f join dashboard.payee r on r.id = f.payee_id
   join dashboard.payee_version v on v.payee_id = r.id and v.version = r.admitted and v.domain = f.domain
   where f.payee_id = ${record} and f.address = ${address} and f.mark is not null`;

const mark = statement<{ mark: DomainMark }>('payee-proof.mark', marksOf('$1', '$2'));

/** Why the domain of a record that counts no longer vouches for an address; null where it does, or never did. */
export const markOn = async (db: Queryable, payeeId: string, address: Address) =>
  (await firstRow(db, mark, [payeeId, address]))?.mark ?? null;
