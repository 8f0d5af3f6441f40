import { type Queryable, rows, statement } from '@countersign/service/sql';

const end = statement<{ id: string }>(
  'oauth-connection.end-of-agent',
  `with ended as (update dashboard.oauth_connection set revoked_at = $2
     where agent_id = $1 and revoked_at is null returning id, grant_id),
   records as (delete from dashboard.oauth_record where grant_id in (select grant_id from ended))
   select id from ended order by id`,
);

/** Ends every connection that lets a client act as this agent, with its codes and tokens; gives those that lived. */
export const endConnectionsOf = (
  db: Queryable,
  agentId: string,
  now: Date,
): Promise<readonly { readonly id: string }[]> => rows(db, end, [agentId, now]);

const endOfPerson = statement(
  'oauth-connection.end-of-person',
  `with ended as (update dashboard.oauth_connection set revoked_at = $2
     where person_id = $1 and revoked_at is null returning grant_id)
   delete from dashboard.oauth_record where grant_id in (select grant_id from ended)`,
);

/** Ends every connection that this person made, with its codes and tokens. */
export async function endConnectionsBy(db: Queryable, personId: string, now: Date): Promise<void> {
  await rows(db, endOfPerson, [personId, now]);
}
