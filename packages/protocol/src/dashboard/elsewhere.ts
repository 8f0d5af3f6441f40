import type { ControlScope } from '../control/dialect.ts';
import type { Scope } from '../vault/scopes.ts';
import type { Role } from './roles.ts';

type Elsewhere = { readonly vault: readonly Scope[]; readonly control: readonly ControlScope[] };

/**
 * What a role of the dashboard may do in the other parts, where one sign-in opens them. Each part reads this table itself:
 * an assertion names roles and no scopes. The vault's `admin` covers all of a tenant.
 */
const elsewhere: Readonly<Record<Role, Elsewhere>> = {
  owner: { vault: ['admin'], control: ['read', 'decide'] },
  admin: { vault: ['credential:read', 'audit:read'], control: ['read', 'decide'] },
  approver: { vault: [], control: ['read', 'decide'] },
  auditor: { vault: ['credential:read', 'audit:read'], control: ['read'] },
  operator: { vault: [], control: [] },
  merchant: { vault: [], control: [] },
};

const union = <K extends keyof Elsewhere>(part: K, roles: readonly Role[]) => [
  ...new Set(roles.flatMap((role) => elsewhere[role][part] as readonly Elsewhere[K][number][])),
];

/** Returns the vault scopes of these roles; none: the vault is not shown to them. */
export function vaultScopesOf(roles: readonly Role[]): readonly Scope[] {
  const scopes = union('vault', roles);
  return scopes.includes('admin') ? ['admin'] : scopes;
}

/** The same at the control plane. */
export const controlScopesOf = (roles: readonly Role[]): readonly ControlScope[] => union('control', roles);

/** Returns whether they change something at the vault; without it all they ask is a question. */
export const changesTheVault = (roles: readonly Role[]): boolean =>
  vaultScopesOf(roles).some((scope) => scope !== 'credential:read' && scope !== 'audit:read');

/** Returns whether these roles may do nothing elsewhere that those may not. */
export function isNoHigherElsewhere(given: readonly Role[], than: readonly Role[]): boolean {
  const [mine, theirs] = [vaultScopesOf(than), vaultScopesOf(given)];
  const control = controlScopesOf(than);
  return (
    (mine.includes('admin') || theirs.every((scope) => mine.includes(scope))) &&
    controlScopesOf(given).every((scope) => control.includes(scope))
  );
}
