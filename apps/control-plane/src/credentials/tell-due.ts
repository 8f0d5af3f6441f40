import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { takeDue } from './held.ts';
import { type Credential } from './store.ts';

export type TellDueParts = {
  readonly pool: Pool;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly now: () => Date;
  readonly log: Logger;
};

const everyMs = 2_000;
/** Maximum number per transaction. */
const together = 50;

/** From now on whoever listens is told of each due date of a credential: once, however many processes look and die. */
export const startTellingDue = (parts: TellDueParts): Service =>
  repeat(parts.log, 'tell which credentials are to be rotated', everyMs, async () => {
    while ((await tellSome(parts)) === together);
  });

/** Emits the events in the transaction that marks them as sent. */
const tellSome = ({ pool, webhooks, now }: TellDueParts): Promise<number> =>
  inTransaction(pool, async (db) => {
    const due = await takeDue(db, now(), together);
    for (const credential of due) await webhooks.emit(db, dueEvent(credential));
    return due.length;
  });

const dueEvent = ({ id, tenantId, namespace, label, version, rotationDueAt }: Credential) => ({
  type: 'credential.rotation_due' as const,
  tenantId,
  data: { credential_id: id, namespace, label, version, due_at: rotationDueAt?.toISOString() ?? null },
});
