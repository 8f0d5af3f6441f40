import type { Role } from '@countersign/protocol/dashboard/roles';
import { mayCall } from '@countersign/protocol/dashboard/who-may';
import type { Queryable } from '@countersign/service/sql';
import { revokeKeysBy } from '../auth/api-key.ts';
import { endConnectionsBy } from '../oauth/of-agents.ts';
import { revokeInvitationsBy } from './invitation-store.ts';

/** What works without a session ends with the roles that allowed to make it; invitations with any change of roles. */
export async function endWhatTheyMade(
  db: Queryable,
  id: string,
  roles: readonly Role[],
  now: Date,
): Promise<void> {
  const left = { roles, holder: false };
  await revokeInvitationsBy(db, id, now);
  if (!mayCall('createKey', left)) await revokeKeysBy(db, id, now);
  if (!mayCall('connectClient', left)) await endConnectionsBy(db, id, now);
}
