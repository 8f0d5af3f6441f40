import { dashboardRoutes, type SessionRoute } from '@countersign/protocol/dashboard/routes';
import { mayCall, rolesFor, whoMay } from '@countersign/protocol/dashboard/who-may';
import type { Route } from '@countersign/protocol/route';
import type { Person } from '../people/person.ts';
import type { Refusal } from '../refusal.ts';

const placeOf = ({ method, path }: Route): string => `${method} ${path}`;

const names = new Map(
  (Object.keys(whoMay) as SessionRoute[]).map((name) => [placeOf(dashboardRoutes[name]), name] as const),
);

/** The same table, in which each route of a session says who of an account's people may call it. */
export const dashboardRoutesByRole: typeof dashboardRoutes = Object.fromEntries(
  Object.entries<Route>(dashboardRoutes).map(([name, route]) => {
    const known = names.get(placeOf(route));
    return [name, known === undefined ? route : { ...route, roles: rolesFor(known) }];
  }),
) as unknown as typeof dashboardRoutes;

/** Why somebody may not call this route, or null: the one place where roles are judged. */
export function whyNotAllowed(route: Route, person: Person): Refusal | null {
  const name = names.get(placeOf(route));
  // What stands in no table is nobody's.
  if (name !== undefined && mayCall(name, person)) return null;
  const needs = name === undefined ? [] : rolesFor(name);
  const holdersOnly = name !== undefined && whoMay[name].who === 'holder';
  const who = holdersOnly ? 'the wallet’s holder' : `the role ${needs.join(' or ')}`;
  const msg = `your role (${person.roles.join(', ')}) does not allow this: it takes ${who}`;
  return { code: 'UNAUTHORIZED_OPERATION', msg, data: { roles: [...person.roles], needs: [...needs] } };
}
