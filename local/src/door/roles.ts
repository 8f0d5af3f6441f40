import type { Login, Wallet } from '../keys.ts';

/** Those that sign: each has a wallet, and an account of its own. */
export const walletRoles = ['owner', 'merchant', 'operator', 'approver'] as const;

/** Whom the demo lets people be. The auditor is a person of the owner's account, who has no wallet and only reads. */
export const doorRoles = [...walletRoles, 'auditor'] as const;
export type DoorRole = (typeof doorRoles)[number];

type About = {
  readonly name: string;
  /** What a person with this role does, in one sentence. */
  readonly does: string;
  /** The page of the console where it begins. */
  readonly home: string;
};

export const aboutRole: Readonly<Record<DoorRole, About>> = {
  owner: {
    name: 'Owner',
    does: 'Signs what the agent may spend, decides about larger payments, keeps credentials in the vault.',
    home: '/',
  },
  merchant: { name: 'Merchant', does: 'Is paid by agents and sees those payments.', home: '/transactions' },
  operator: {
    name: 'Operator',
    does: 'Reviews who people are and watches every payment.',
    home: '/compliance?view=reviews',
  },
  approver: {
    name: 'Approver',
    does: 'Decides about the actions that a policy leaves to a person.',
    home: '/actions',
  },
  auditor: {
    name: 'Auditor',
    does: 'Reads everything of the owner’s account, and changes nothing.',
    home: '/',
  },
};

export type RoleWallets = Readonly<Record<(typeof walletRoles)[number], Wallet>>;

/**
 * The credentials that people of the demo without a wallet type; null if the system runs without that part.
 */
export type RoleCredentials = {
  /** The auditor's user name and password at the dashboard. */
  readonly auditor: Login;
  /** An agent's access to the gateway. */
  readonly gateway: { readonly url: string; readonly token: string } | null;
};

/** Each role has its own alone. */
export function credentialsOf(role: DoorRole, all: RoleCredentials): Partial<RoleCredentials> {
  switch (role) {
    case 'owner':
      return { gateway: all.gateway };
    case 'auditor':
      return { auditor: all.auditor };
    case 'merchant':
    case 'operator':
    case 'approver':
      return {};
  }
}

/** A token that opens the door as this role. */
export type RoleToken = { readonly role: DoorRole; readonly token: string };
export type RoleLink = { readonly role: DoorRole; readonly name: string; readonly url: string };

/** The token stands behind the `#`: no server and no log sees it, and a page that is looked at in advance uses nothing up. */
export const linkTo = (url: string, { role, token }: RoleToken): RoleLink => ({
  role,
  name: aboutRole[role].name,
  url: `${url}/door/${role}#${token}`,
});
