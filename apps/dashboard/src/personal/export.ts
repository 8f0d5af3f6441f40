import type { PersonalDataKind } from '@countersign/protocol/dashboard/personal-data';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import type { Account } from '../accounts/account.ts';
import { showAccount } from '../accounts/account.ts';
import { personalDataKinds } from './kinds.ts';
import type { Reading, Section } from './section.ts';
import { sections } from './sections.ts';

type About = { readonly account: Account; readonly retentionDays: number; readonly now: Date };

/** Submissions are two kinds of data: who one is, and what was decided. */
const kindsIn: Readonly<Record<keyof typeof sections, readonly PersonalDataKind[]>> = {
  agents: ['agents'],
  submissions: ['identities', 'decisions'],
  businesses: ['businesses'],
  businessFiles: ['businesses'],
  decisions: ['decisions'],
  withdrawal: ['decisions'],
  screenings: ['screenings'],
  mandates: ['mandates'],
  drafts: ['drafts'],
  approvals: ['approvals'],
  unpaidApprovals: ['unpaidApprovals'],
  callArguments: ['callArguments'],
  holds: ['holds'],
  transactions: ['transactions'],
  alerts: ['alerts'],
  apiKeys: ['apiKeys'],
  connections: ['connections'],
  people: ['people'],
  providerIdentities: ['people'],
  invitations: ['people'],
  changes: ['changes'],
  recoveryAddresses: ['recovery'],
  recoveryClaims: ['recovery'],
  sessions: ['sessions'],
  erasures: ['erasures'],
};

const notIncluded = [
  'The exact answers of screening vendors about your wallets: the operator has them, sealed.',
  'What the first of two operators decided before the second did, and when operators viewed your transactions: operators have these.',
  'What an identity verification vendor keeps about you: ask that vendor.',
  'What vault and control plane recorded under your name: their logs and accounts keep it, also after an erasure.',
  'The deny list, and holds on your budgets that an operator’s key made.',
  'Backups and server logs: they identify requests, not people.',
];

/**
 * All that is kept about an account as one JSON text in the envelope, a piece at a time: each kind with why it is kept and
 * how long. What breaks off is no JSON.
 */
export async function* exportPersonalData(reading: Reading, about: About): AsyncGenerator<Uint8Array, void> {
  const { account, retentionDays, now } = about;
  const kinds = personalDataKinds(retentionDays);
  const head = { exportedAt: now, account: { ...kinds.account, record: showAccount(account) }, notIncluded };
  // The envelope and its data stay open.
  yield utf8.encode(JSON.stringify(dashboardDialect.success(head)).slice(0, -2));
  for (const name of sectionNames) yield* piecesOf(name, reading, kinds);
  yield utf8.encode(',\n"complete":true}}\n');
}

const sectionNames = Object.keys(sections) as (keyof typeof sections)[];

/**
 * The sections that whoever recovers an account may read: what it allowed and paid, but no identity, sign-in
 * or session.
 */
const recordNames = [
  'agents',
  'mandates',
  'drafts',
  'approvals',
  'unpaidApprovals',
  'holds',
  'transactions',
  'alerts',
  'apiKeys',
  'changes',
  'recoveryAddresses',
  'recoveryClaims',
] as const satisfies readonly (keyof typeof sections)[];

/** The records of an account that was recovered, in the same form. */
export async function* exportRecords(
  reading: Reading,
  { account, now }: Omit<About, 'retentionDays'>,
): AsyncGenerator<Uint8Array, void> {
  const head = { exportedAt: now, account: showAccount(account), closedAt: account.closedAt };
  yield utf8.encode(JSON.stringify(dashboardDialect.success(head)).slice(0, -2));
  for (const name of recordNames) yield* piecesOf(name, reading, personalDataKinds(null));
  yield utf8.encode(',\n"complete":true}}\n');
}

async function* piecesOf(
  name: keyof typeof sections,
  reading: Reading,
  kinds: ReturnType<typeof personalDataKinds>,
): AsyncGenerator<Uint8Array, void> {
  const section: Section = sections[name];
  const about = kindsIn[name].map((kind) => kinds[kind]);
  yield utf8.encode(`,\n${JSON.stringify(name)}:{"about":${JSON.stringify(about)},"records":[`);
  let separator = '\n';
  for await (const page of section(reading)) {
    const text = page.map((record) => JSON.stringify(record)).join(',\n');
    if (text !== '') yield utf8.encode(separator + text);
    if (text !== '') separator = ',\n';
  }
  yield utf8.encode(']}');
}

const utf8 = new TextEncoder();
