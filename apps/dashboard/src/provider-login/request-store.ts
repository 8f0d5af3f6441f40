import { createHash } from 'node:crypto';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

/** A browser that was led to the provider. Of its state and its cookie hashes alone are kept. */
export type ProviderRequest = {
  readonly state: string;
  readonly browser: string;
  readonly issuer: string;
  readonly redirectUri: string;
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const made = ['stateSha256', 'browserSha256', 'issuer', 'redirectUri', 'expiresAt'] as const;
const table = sqlTable('dashboard.provider_request', 'q', made);

const keep = statement(
  'provider-request.keep',
  `with old as (delete from dashboard.provider_request where state_sha256 in
     (select state_sha256 from dashboard.provider_request where expires_at <= $6 limit 20 for update skip locked))
   ${table.insertInto(...made)} values (${placeholders(made)})`,
);

/** Keeps a request, and forgets some that have expired. */
export async function insertRequest(
  db: Queryable,
  { state, browser, issuer, redirectUri }: ProviderRequest,
  expiresAt: Date,
  now: Date,
): Promise<void> {
  await rows(db, keep, [sha256(state), sha256(browser), issuer, redirectUri, expiresAt, now]);
}

type Kept = { readonly isTheirs: boolean; readonly issuer: string; readonly redirectUri: string };

const burn = statement<Kept & { readonly alive: boolean }>(
  'provider-request.burn',
  `delete from ${table.from} where q.state_sha256 = $1
   returning q.expires_at > $3 as alive, q.browser_sha256 = $2 as "isTheirs", ${table.list('issuer', 'redirectUri')}`,
);

/**
 * Uses a state up, whoever shows it: what was asked with it, once and only while it lives, for the browser that began it.
 * Null for any other.
 */
export async function burnRequest(
  db: Queryable,
  { state, browser }: Pick<ProviderRequest, 'state' | 'browser'>,
  now: Date,
): Promise<Pick<ProviderRequest, 'issuer' | 'redirectUri'> | null> {
  const found = await firstRow(db, burn, [sha256(state), sha256(browser), now]);
  return found !== null && found.alive && found.isTheirs ? found : null;
}
