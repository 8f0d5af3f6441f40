import { type Queryable, rows, statement } from '@countersign/service/sql';
import { actorOf, type Caller } from '../callers.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { envelopeOf } from './envelope-row.ts';
import { bindingOf, findCredentials, scopeOf } from './store.ts';

/** Between whoever writes credentials and whoever reads which ones a new session masks; of one tenant each. */
const maskingLock = 4_022_003;
const whileTold = statement('masking.told', 'select pg_advisory_xact_lock_shared($1, hashtext($2))');
const afterTold = statement('masking.was-told', 'select pg_advisory_xact_lock($1, hashtext($2))');

/** Addresses that a command has room for. */
const maxUrls = 64;

/**
 * The last of a transaction that writes a credential, its value or where it may be used: the tenant's open sessions look for it before
 * anybody is answered. Throws where they cannot be told, and then nothing is to be written.
 */
export async function tellSessions(
  db: Queryable,
  enclave: Enclave,
  caller: Caller,
  id: string,
): Promise<void> {
  await rows(db, whileTold, [maskingLock, caller.tenantId]);
  const [[credential], scope] = await Promise.all([findCredentials(db, [id]), scopeOf(db, id)]);
  // It was deleted meanwhile.
  if (credential === undefined || scope === null) return;
  const { tenantId, agentDid } = caller;
  const told = await enclave.call('session.mask', {
    tenantId,
    actor: actorOf(caller),
    ...(agentDid !== null && { agentDid }),
    credential: {
      binding: bindingOf(credential),
      envelope: envelopeOf(credential),
      allowedUrls: scope.slice(0, maxUrls),
    },
  });
  if (!told.ok) throw new EnclaveFailed('session.mask', told.error);
}

/** Resolves when everything that sessions were told before is committed. Call it in a transaction. */
export async function pastTold(db: Queryable, tenantId: string): Promise<void> {
  await rows(db, afterTold, [maskingLock, tenantId]);
}
