import { type Role, roles } from '@countersign/protocol/dashboard/roles';
import { isNoHigher } from '@countersign/protocol/dashboard/who-may';

/** Each role as people call it. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  operator: 'Operator',
  approver: 'Approver',
  merchant: 'Merchant',
  auditor: 'Auditor',
};

const meanings: Readonly<Record<Role, string>> = {
  owner: 'Does everything here; signs nothing without the account’s wallet.',
  admin: 'Manages people, keys and clients; prepares mandates, stops agents.',
  operator: 'Decides on identities and the deny list, if this account is an operator’s.',
  approver: 'Sees mandates, agents and approvals; rejects, and approves with the wallet’s signature.',
  merchant: 'Sees transactions and screens wallets.',
  auditor: 'Reads everything and changes nothing.',
};

/** Returns the roles that somebody with these roles may grant, each with its meaning. */
export const offersOf = (mine: readonly Role[]): readonly (readonly [Role, string])[] =>
  roles.filter((role) => isNoHigher([role], mine)).map((role) => [role, meanings[role]] as const);

export const namesOf = (held: readonly Role[]): string => held.map((role) => roleNames[role]).join(', ');
