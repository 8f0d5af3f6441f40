import type { Requirement } from '../requirement.ts';

const source = 'issue 18, 3; decision 0037';

/** One sign-in for dashboard, vault and control plane, where SIGN_IN_KEY and its public half are set. */
export const systemOneSignInRequirements = [
  {
    id: 'system.one-sign-in.session',
    source,
    behaviour:
      'Whoever signed in to the console of a linked account, in whatever way, is in the vault and the control plane as well, and still is ' +
      'after a reload. An account that is not linked logs in there as before.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.no-token-in-page',
    source,
    behaviour:
      'The session is exchanged by the dashboard. No token of the vault, no key of the control plane and no session token is in anything that ' +
      'a script of the page can send, read or find in storage.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.live',
    source,
    behaviour:
      'GET /relay/vault/api/v1/sandbox/sessions/:id/events tells the events of the vault’s WebSocket as server-sent events.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.roles',
    source,
    behaviour:
      'Owners may do everything at the vault and decide at the control plane; admins read the vault and decide; approvers decide; auditors ' +
      'read both and change nothing; operators and merchants reach neither. The console shows each their own rooms.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.tenant',
    source,
    behaviour: 'People of an account reach the tenant that SIGN_IN_ACCOUNTS names for it, and no other.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.no-part',
    source,
    behaviour:
      'Whose account or role has no part in the vault or the control plane reads so there, as no error, beside the log-in that these have of their own.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.by-person',
    source,
    behaviour:
      'Records of vault and control plane name the person as NAME (ID), of the wallet’s holder NAME (WALLET): user:… there, key:approver:… here.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.quorum',
    source,
    behaviour:
      'People of one account approve an execution once together, however many they are; each may deny. Nobody decides about what is done for ' +
      'their name, their id or their account’s wallet.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.csrf',
    source,
    behaviour:
      'What changes something elsewhere by the cookie needs an Origin of the console; a request that Sec-Fetch-Site says comes from another site or ' +
      'port is refused, whatever it asks.',
    status: 'tested',
  },
  {
    id: 'system.one-sign-in.ends',
    source,
    behaviour:
      'Signing out, a removal and a change of roles end what was exchanged at once: the dashboard hands nothing on any more, and vault and control plane ' +
      'revoke the tokens. What a removed person gave to agents ends with them; a part that is away hears of it when it is back. Whoever is let in again has the same id, and nothing of what was ended.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
