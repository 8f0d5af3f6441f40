import type { PersonalDataKind, PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';

type About = Omit<PersonalDataSummary, 'kind' | 'count'>;

/** Laws differ from country to country; these two are why nearly everywhere the records of payments stay. */
const law =
  'Accounting (in the EU 6 to 10 years) and the prevention of money laundering (Directive (EU) 2015/849, Article 40: 5 years after the last business) ask for it; Article 17(3)(b) GDPR lets it stay.';

const withPayments = 'as long as law keeps the payments that refer to it';

const kinds: Readonly<Record<PersonalDataKind, About>> = {
  account: {
    what: 'Wallet address, public key, and since when there is an account',
    why: 'It says whose mandates and payments these are.',
    law,
    keptFor: withPayments,
    onErasure: 'kept',
  },
  identities: {
    what: 'Name, country, document and its number, and reasons that name you',
    why: 'An operator compared them with your document, so that your agent may pay.',
    law: null,
    keptFor: 'KYC_RETENTION_DAYS days after a rejection or withdrawal; else until you have it erased',
    onErasure: 'deleted',
  },
  decisions: {
    what: 'When something was handed in, and what was decided about it; a withdrawal that stands, with its reason',
    why: 'It shows that a payment was allowed when it was made.',
    law,
    keptFor: withPayments,
    onErasure: 'kept',
  },
  screenings: {
    what: 'Verdicts about you and your wallet; what screening vendors sent, sealed',
    why: 'They show what a payment was allowed by.',
    law,
    keptFor: `${withPayments}; an erasure deletes what vendors sent and their names of it`,
    onErasure: 'kept',
  },
  mandates: {
    what: 'Mandates that you signed, with title, limits, rules and signature',
    why: 'They show that you allowed the payments.',
    law,
    keptFor: `${withPayments}; an erasure ends those that are alive`,
    onErasure: 'ended',
  },
  drafts: {
    what: 'Mandates that were never signed',
    why: 'You made them.',
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
    what: 'Other payments that you were asked about',
    why: 'You see what you were asked, and what you answered.',
    law: null,
    keptFor: 'as long as the account',
    onErasure: 'deleted',
  },
  callArguments: {
    what: 'Arguments of calls that waited for your approval, sealed',
    why: 'You see what you approve.',
    law: null,
    keptFor: 'until a day after your decision',
    onErasure: 'deleted',
  },
  holds: {
    what: 'Shares of a budget that your gateway reserved for a payment',
    why: 'Two payments at once must not use the same budget.',
    law: null,
    keptFor: 'as long as the mandate',
    onErasure: 'kept',
  },
  transactions: {
    what: 'Payments and refused calls in which your wallet is payer or payee',
    why: 'They are your books, and the other party’s.',
    law,
    keptFor: 'as long as law asks, which whoever runs this dashboard knows',
    onErasure: 'kept',
  },
  alerts: {
    what: 'Alerts about your mandates',
    why: 'You are told when a budget runs low or a mandate ends.',
    law: null,
    keptFor: 'as long as the mandate',
    onErasure: 'deleted',
  },
  apiKeys: {
    what: 'API keys: name, first characters, when they were made and used; of the key itself a hash',
    why: 'Your gateway shows one.',
    law: null,
    keptFor: 'as long as the account',
    onErasure: 'deleted',
  },
  sessions: {
    what: 'Sessions: when they began, were used last, and end; neither browser nor network address',
    why: 'You stay signed in, and see where you are.',
    law: null,
    keptFor: 'until they are over, 12 hours at most, and a little longer',
    onErasure: 'deleted',
  },
  erasures: {
    what: 'That personal data were erased: when, who asked, how many of each kind',
    why: 'It shows that what you asked for was done (Article 5(2) GDPR).',
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
  const { identities } = kinds;
  const keptFor = identities.keptFor.replace('KYC_RETENTION_DAYS', String(retentionDays));
  return { ...kinds, identities: { ...identities, keptFor } };
}
