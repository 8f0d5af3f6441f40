import { type Role, roles } from '@countersign/protocol/dashboard/roles';
import { fail, ok, type Result } from '@countersign/protocol/result';

/**
 * The roles that a claim of groups gives. No claim, or none of the groups, gives none; what is no list of texts is
 * refused whole: nobody knows what it means.
 */
export function rolesOf(
  claim: unknown,
  rolesOfGroups: ReadonlyMap<string, readonly Role[]>,
): Result<readonly Role[], string> {
  if (claim === undefined || claim === null) return ok([]);
  if (!Array.isArray(claim) || !claim.every((group) => typeof group === 'string'))
    return fail('the provider’s claim of groups is no list of names');
  const given = new Set(claim.flatMap((group: string) => rolesOfGroups.get(group) ?? []));
  return ok(roles.filter((role) => given.has(role)));
}
