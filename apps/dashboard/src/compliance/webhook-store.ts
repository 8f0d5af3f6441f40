import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';

const find = statement(
  'kyc-webhook.find',
  'select 1 from dashboard.kyc_webhook_event where provider = $1 and event_id = $2',
);

/** Returns whether this event was acted upon before. */
export const wasTaken = async (db: Queryable, provider: string, eventId: string): Promise<boolean> =>
  (await firstRow(db, find, [provider, eventId])) !== null;

const insert = statement(
  'kyc-webhook.insert',
  `insert into dashboard.kyc_webhook_event (provider, event_id, taken_at) values ($1, $2, $3) on conflict do nothing`,
);

export async function noteTaken(db: Queryable, provider: string, eventId: string, now: Date): Promise<void> {
  await rows(db, insert, [provider, eventId, now]);
}
