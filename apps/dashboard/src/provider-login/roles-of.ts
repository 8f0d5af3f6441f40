import { type Role, roles } from '@countersign/protocol/dashboard/roles';
import { fail, ok, type Result } from '@countersign/protocol/result';

/** The provider says that there are groups, and not here which. */
export const elsewhere = Symbol('elsewhere');

/**
 * The claim of groups among what a provider says; `elsewhere` for one that it only refers to (OpenID Connect Core, 5.6.2),
 * or leaves out as Entra does with more than some 200 groups (`hasgroups`).
 */
export function groupsIn(said: Readonly<Record<string, unknown>>, claim: string): unknown {
  const names = said['_claim_names'];
  const isReferred = typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
  const isLeftOut = claim === 'groups' && said['hasgroups'] !== undefined && said['hasgroups'] !== false;
  return isReferred || isLeftOut ? elsewhere : said[claim];
}

/**
 * The roles that a provider's claim of groups gives; none of the groups, or an empty list, gives none. What is left out
 * or is no list of texts is refused whole: nobody knows what it means.
 */
export function rolesOf(
  claim: unknown,
  rolesOfGroups: ReadonlyMap<string, readonly Role[]>,
): Result<readonly Role[], string> {
  if (claim === elsewhere)
    return fail('the provider omits your groups because there are too many: it must send fewer');
  if (claim === undefined || claim === null) return fail('the provider does not send your groups');
  if (!Array.isArray(claim) || !claim.every((group) => typeof group === 'string'))
    return fail('the provider’s groups claim is not a list of names');
  const given = new Set(claim.flatMap((group: string) => rolesOfGroups.get(group) ?? []));
  return ok(roles.filter((role) => given.has(role)));
}
