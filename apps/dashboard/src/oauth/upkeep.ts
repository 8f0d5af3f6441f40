import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { type Pool, rows, statement } from '@countersign/service/sql';

const everyMs = 10 * 60_000;
const atOnce = 5_000;

const forgetExpired = statement(
  'oauth-upkeep.expired',
  `delete from dashboard.oauth_record where (kind, id_hash) in
     (select kind, id_hash from dashboard.oauth_record where expires_at <= $1 limit ${atOnce}) returning 1`,
);

// A registered client that nobody has connected within a day: it registers again when it needs to.
const forgetClients = statement(
  'oauth-upkeep.clients',
  `delete from dashboard.oauth_record where (kind, id_hash) in
     (select r.kind, r.id_hash from dashboard.oauth_record r
      where r.kind = 'Client' and r.created_at <= $1::timestamptz - interval '1 day'
        and not exists (select from dashboard.oauth_connection c
          where c.client_id = r.payload ->> 'client_id' and c.revoked_at is null)
      order by r.created_at limit ${atOnce}) returning 1`,
);

/** Deletes codes, tokens and requests that have run out, and clients that nobody connected. */
export const startOauthUpkeep = (pool: Pool, now: () => Date, log: Logger): Service =>
  repeat(log, 'forget what oauth no longer needs', everyMs, async () => {
    for (const forget of [forgetExpired, forgetClients])
      while ((await rows(pool, forget, [now()])).length === atOnce);
  });
