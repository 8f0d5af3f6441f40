import type { Role } from '@countersign/protocol/dashboard/roles';
import { mayCall } from '@countersign/protocol/dashboard/who-may';
import type { Queryable } from '@countersign/service/sql';
import { revokeKeysBy } from '../auth/api-key.ts';
import { noteEnding } from '../elsewhere/endings.ts';
import { endConnectionsBy } from '../oauth/of-agents.ts';
import { revokeInvitationsBy } from './invitation-store.ts';
import type { PersonRecord } from './store.ts';

/**
 * What works without a session ends with the roles that allowed to make it; invitations with any change of roles. Vault and control
 * plane are told what roles are left, none of somebody who goes.
 */
export async function endWhatTheyMade(
  db: Queryable,
  { id, accountId }: Pick<PersonRecord, 'id' | 'accountId'>,
  roles: readonly Role[],
  now: Date,
): Promise<void> {
  const left = { roles, holder: false };
  await noteEnding(db, { id, accountId, roles }, now);
  await revokeInvitationsBy(db, id, now);
  if (!mayCall('createKey', left)) await revokeKeysBy(db, id, now);
  if (!mayCall('connectClient', left)) await endConnectionsBy(db, id, now);
}
