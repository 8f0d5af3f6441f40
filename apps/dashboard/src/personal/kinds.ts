import type { PersonalDataKind, PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';

type About = Omit<PersonalDataSummary, 'kind' | 'count'>;

/** Laws differ from country to country; these two are why nearly everywhere the records of payments stay. */
const law =
  'Accounting (in the EU 6 to 10 years) and anti-money-laundering law (Directive (EU) 2015/849, Article 40: 5 years after the end of the business relationship) require it; Article 17(3)(b) GDPR allows it.';

const withPayments = 'as long as the law requires the payments that refer to it to be kept';

const kinds: Readonly<Record<PersonalDataKind, About>> = {
  account: {
    what: 'Wallet address, public key, and when the account was created',
    why: 'It shows whose mandates and payments these are.',
    law,
    keptFor: withPayments,
    onErasure: 'kept',
  },
  agents: {
    what: 'Agent wallets: name, networks, your signature, and when each was announced, signed and revoked',
    why: 'They show which wallets paid for you.',
    law,
    keptFor: `${withPayments}; an erasure revokes them and deletes those that you never signed`,
    onErasure: 'ended',
  },
  identities: {
    what: 'Name, country, document and document number, and reasons that name you',
    why: 'An operator compared them with your document so that your agent may pay.',
    law: null,
    keptFor:
      'until KYC_RETENTION_DAYS days after a rejection or withdrawal; otherwise until you have it erased',
    onErasure: 'deleted',
  },
  businesses: {
    what: 'What you submitted as a business: name, domain, addresses, registry numbers, links, files, sealed; reasons that operators gave',
    why: 'An operator judged by it whether payments to you are allowed.',
    law: null,
    keptFor:
      'until KYC_RETENTION_DAYS days after a rejection or withdrawal, or a later admission; otherwise until you have it erased. An erasure withdraws the record that operators made of it; its versions stay, as operators wrote them, with the payments that they allowed',
    onErasure: 'deleted',
  },
  decisions: {
    what: 'When you submitted an identity, and what was decided about it; a current withdrawal, with its reason',
    why: 'It shows that a payment was allowed when it was made.',
    law,
    keptFor: withPayments,
    onErasure: 'kept',
  },
  screenings: {
    what: 'Screening results for you, your wallet and your agents’ wallets; the screening vendors’ answers, sealed',
    why: 'They show why a payment was allowed.',
    law,
    keptFor: `${withPayments}; an erasure deletes the vendors’ answers and their references to them`,
    onErasure: 'kept',
  },
  mandates: {
    what: 'Mandates that you signed, with title, limits, rules and signature',
    why: 'They show that you allowed the payments.',
    law,
    keptFor: `${withPayments}; an erasure ends the active ones`,
    onErasure: 'ended',
  },
  drafts: {
    what: 'Mandates that were never signed',
    why: 'You created them.',
    law: null,
    keptFor: 'until you delete them',
    onErasure: 'deleted',
  },
  approvals: {
    what: 'Payments that you approved and that were made',
    why: 'They show that you allowed them.',
    law,
    keptFor: withPayments,
    onErasure: 'kept',
  },
  unpaidApprovals: {
    what: 'Other payments that you were asked to approve',
    why: 'They let you see what you were asked and what you decided.',
    law: null,
    keptFor: 'as long as the account',
    onErasure: 'deleted',
  },
  callArguments: {
    what: 'Arguments of calls that needed your approval, sealed',
    why: 'They let you see what you approve.',
    law: null,
    keptFor: 'until a day after your decision',
    onErasure: 'deleted',
  },
  holds: {
    what: 'Amounts of a budget that your gateway held for a payment',
    why: 'Two simultaneous payments must not use the same budget.',
    law: null,
    keptFor: 'as long as the mandate',
    onErasure: 'kept',
  },
  transactions: {
    what: 'Payments and refused calls in which your wallet is payer or payee',
    why: 'They are part of your accounting records and of the other party’s.',
    law,
    keptFor: 'as long as the law requires; ask whoever runs this dashboard',
    onErasure: 'kept',
  },
  alerts: {
    what: 'Alerts about your mandates',
    why: 'They tell you when a budget runs low or a mandate expires.',
    law: null,
    keptFor: 'as long as the mandate',
    onErasure: 'deleted',
  },
  apiKeys: {
    what: 'API keys: name, first characters, what they may do, when they were created and used, and expire; only a hash of the key itself',
    why: 'Your gateway authenticates with one.',
    law: null,
    keptFor: 'as long as the account',
    onErasure: 'deleted',
  },
  connections: {
    what: 'Clients that you connected by OAuth: as which agent, where, the name that each gave itself, when each was connected, used and cut off; only hashes of their tokens',
    why: 'They act as your agents, and you can cut them off.',
    law: null,
    keptFor: 'as long as the account; tokens until they expire',
    onErasure: 'deleted',
  },
  people: {
    what: 'People whom you invited to the account: name, roles, user name, public keys of passkeys, a hash of the password; of those who sign in through a provider, its issuer and subject; invitations, with the name that you gave',
    why: 'They sign in with these, and you see who may do what.',
    law: null,
    keptFor: 'until you remove them; invitations, and whom a provider vouched for, as long as the account',
    onErasure: 'deleted',
  },
  changes: {
    what: 'What people of the account changed or tried to change: who, what, when and with which outcome',
    why: 'It shows who did what.',
    law: null,
    keptFor: 'as long as the account',
    onErasure: 'deleted',
  },
  recovery: {
    what: 'Whom you named to recover your account, with your signature; who claimed it, and who objected',
    why: 'It lets a person who lost their wallet, and nobody else, have the account closed.',
    law: null,
    keptFor: 'as long as the account: whoever stole your wallet must not be able to erase it',
    onErasure: 'kept',
  },
  sessions: {
    what: 'Sessions: when they started, were last used, and expire; whose they are; neither browser nor network address',
    why: 'You stay signed in, and see where you are.',
    law: null,
    keptFor: 'until shortly after they end, which is after 12 hours at most',
    onErasure: 'deleted',
  },
  erasures: {
    what: 'That personal data was erased: when, at whose request, how many records of each kind',
    why: 'It shows that your request was carried out (Article 5(2) GDPR).',
    law: null,
    keptFor: withPayments,
    onErasure: 'kept',
  },
};

/**
 * What is kept about an account, why and how long, and what becomes of it: the one list that all who tell of it read.
 * `retentionDays` null: told by a command that does not know how the dashboard is configured.
 */
export function personalDataKinds(retentionDays: number | null): typeof kinds {
  if (retentionDays === null) return kinds;
  const { identities, businesses } = kinds;
  const inDays = (about: About): About => ({
    ...about,
    keptFor: about.keptFor.replace('KYC_RETENTION_DAYS', String(retentionDays)),
  });
  return { ...kinds, identities: inDays(identities), businesses: inDays(businesses) };
}
