import type { Requirement } from '../requirement.ts';

const source = 'issue 18, 3; decision 0034';

/** The people of an account: how they come in, what a session of each role may do, and what is kept about it. */
export const dashboardPeopleRequirements = [
  {
    id: 'dashboard.people.invite',
    source,
    behaviour:
      'POST /api/people/invitations {name, roles} of an owner or admin answers {invitation, token}: the token works once, for 72 ' +
      'hours. Roles are owner, admin, operator, approver, merchant and auditor. The wallet’s holder is the first owner, with id holder.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.accept',
    source,
    behaviour:
      'POST /api/invitations/accept with a passkey, a user name and password, or both, makes the person and logs them in: same answer ' +
      'and cookie as a login. GET /api/auth/me says which person, with which roles. A name of their own choice that is the holder’s or somebody else’s of the account is 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.invitation.once',
    source,
    behaviour:
      'An invitation that was used, revoked or is older than 72 hours is 404, 80000011. Of requests that accept one at the same moment exactly one succeeds.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.invitation.inviter',
    source,
    behaviour:
      'The open invitations of somebody who is removed, or whose roles or sign-in change, are revoked; one that is accepted while the inviter’s roles change counts only if they may still give it.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.kept',
    source,
    behaviour:
      'Of an invitation’s token its SHA-256 is kept, of a password its Argon2id hash, and nothing else.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.no-higher',
    source,
    behaviour:
      'Nobody invites with, gives or takes roles, or revokes an invitation with roles, that allow anything that their own do not: 403, 80000004. Each inviter has at most 20 open invitations, the account 50; a new sign-in for somebody who is there counts as none. Nobody changes their own roles or removes themselves.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.holder',
    source,
    behaviour:
      'Nobody removes the wallet’s holder or changes their roles. Their personal data, identity and erasure are theirs alone: GET /api/kyc/status tells their account’s other people how it stands, with the identity’s fields null and personalData withheld. A mandate counts by their wallet’s signature alone, whoever is logged in.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.renew',
    source,
    behaviour:
      'POST /api/people/:id/invitation of an owner invites somebody who is there to choose a new sign-in. Accepting it replaces their passkeys and password and ends their sessions, also one that the old sign-in is opening at that moment; name and roles stay.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.foreign',
    source,
    behaviour: 'People and invitations of another account are as if they did not exist: 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.remove',
    source,
    behaviour:
      'DELETE /api/people/:id removes somebody: their sessions are refused from the next request on and their event streams end within 5 s, on every process.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.left-behind',
    source,
    behaviour:
      'API keys that somebody made or rolled and clients that they connected end with them, and with the role that allowed these; what others made stays. The record of a roll names both keys, that of a connection its id.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.policy',
    source,
    behaviour:
      'Whoever logged in without the wallet may tighten a mandate’s policy and not loosen it: 403, 80000004, with the rules that would refuse less.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.lowered',
    source,
    behaviour: 'Roles that were changed count from the next request on, on every process.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.table',
    source,
    behaviour:
      'One table says which roles may call each route of a session. Any other is 403, 80000004, with {roles, needs} as data, before the body is read. OpenAPI names the roles of each route.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.auditor',
    source,
    behaviour:
      'An auditor’s session changes nothing of the account: every route that does is 403, 80000004, and msg names the role and what it takes.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.auditor.reads',
    source,
    behaviour:
      'An auditor reads transactions, mandates, agents, approvals, keys, connections, people and changes of the account; of an operator’s account also everybody’s transactions, each look on record with the person, and the compliance history. No answer to a GET holds a secret.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.approver',
    source,
    behaviour:
      'An approver rejects approvals of their own account; approving takes the wallet’s signature, as it does for an owner. Another account’s approvals do not exist for them.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.events',
    source,
    behaviour: 'An event stream tells of what its reader’s role may list, and of nothing else.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.changes',
    source,
    behaviour:
      'Each call that changes something for a session is on record before it begins, with person, operation and what it is about, and with its outcome afterwards; GET /api/people/changes lists them.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.csrf',
    source,
    behaviour: 'With the session cookie a person’s change needs our own Origin: 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.sessions',
    source,
    behaviour:
      'Sessions are listed with their person. An owner lists and ends any of the account, somebody else’s on record; everybody else their own, and another’s is 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.user-name',
    source,
    behaviour:
      'A user name is unique in the whole dashboard in NFKC and lower case: 3 to 64 of a to z, digits and . _ - @ +. A taken one is 409, 80000003, and leaves the invitation open.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.password',
    source,
    behaviour:
      'A password has 12 to 256 characters, does not contain the user name, and is judged and compared in Unicode form NFKC.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.guesses',
    source,
    behaviour:
      'After 5 wrong passwords for a user name from one address, or 50 from one address, within 15 minutes, POST /api/auth/password/login is 429, 80000061 with Retry-After, however they were sent; an IPv6 address counts as its network of 64 bits. While 20 sign-ins wait, the next one is 429 at once.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.no-oracle',
    source,
    behaviour:
      'A user name that nobody has is answered in the same words as a wrong password, after the same Argon2id.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.passkey',
    source,
    behaviour:
      'POST /api/auth/passkey/options and /login log in by a discoverable WebAuthn passkey with user verification, at any origin of the dashboard that is no IP address.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.passkey.challenge',
    source,
    behaviour: 'A challenge is ours, works once and expires after 10 minutes; otherwise 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.passkey.place',
    source,
    behaviour:
      'A passkey of another origin or RP id, without user verification, or with another person’s user handle is 401, 80000019.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.passkey.counter',
    source,
    behaviour:
      'A signature counter that goes back or stands still is 401, 80000019, also of two uses at once.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.passkey.own',
    source,
    behaviour:
      'A passkey logs in its own person alone; a credential that is known already cannot be registered again: 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.lost-wallet',
    source: 'issue 18, Bad input',
    behaviour:
      'Where the wallet is lost, a second owner revokes its mandates, stops its agents, ends its sessions and keys, and reads its records; no other wallet signs in its place, nor takes over its agents unless it recovered the account.',
    status: 'tested',
  },
  {
    id: 'dashboard.people.erased',
    source,
    behaviour:
      'An erasure of personal data deletes people, invitations, sign-ins and the record of changes of the account.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];

/** How the console shows people. */
export const consolePeopleRequirements = [
  {
    id: 'dashboard.console.people',
    source,
    behaviour:
      'The console invites by a link that is shown once, lets whoever has it join, signs people in by user name and password, lists people, invitations and changes with who made them, and offers no change to whoever only reads.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.people.rooms',
    source,
    behaviour: 'Each role sees the pages that it may read and begins at the first of them.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.people.removed',
    source,
    behaviour:
      'A page that a removed person looks at leads to the sign-in within 5 s; where roles change, the page offers what they allow.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.people.passkey',
    source,
    behaviour:
      'People join and sign in with a passkey where the console’s address has a name; at an IP address none is offered.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
