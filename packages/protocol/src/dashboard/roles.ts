/** Roles of people in an account. An owner has the rights of all of them. */
export const roles = ['owner', 'admin', 'operator', 'approver', 'merchant', 'auditor'] as const;
export type Role = (typeof roles)[number];

/** Whoever acts for an account. The wallet's holder is an owner whom nobody removes. */
export type Standing = { readonly roles: readonly Role[]; readonly holder: boolean };
