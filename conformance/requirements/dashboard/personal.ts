import type { Requirement } from '../requirement.ts';

/** What is kept of a person: sealed, told, given, erased. */
export const dashboardPersonalRequirements = [
  {
    id: 'dashboard.personal.sealed',
    source: 'issue 15, 23',
    behaviour:
      'Name, country, document type and number of a submission are kept sealed alone (AES-256-GCM, EVIDENCE_KEY): no ' +
      'table and no statistic of a column tells them; the person and operators read them.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.sealed.bound',
    source: 'issue 15, 23',
    behaviour: 'Sealed bytes that were moved to another submission or column open to nobody.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.sealed.earlier',
    source: 'issue 15, 23',
    behaviour:
      'Submissions of earlier releases are sealed by the processes that start, several at once and after a kill -9; each ' +
      'stays readable to its person and operators meanwhile, and the file of the table keeps none of the old rows, also of ' +
      'those that were deleted before they were sealed.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.sealed.older-transaction',
    source: 'issue 15, 23',
    behaviour:
      'The file that kept readable submissions is written anew only when no transaction, prepared transaction or replication ' +
      'slot may still see one of them: PostgreSQL would carry the row over.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.sealed.no-key',
    source: 'issue 15, 23',
    behaviour:
      'With DATABASE_URL and without EVIDENCE_KEY handing in is 404, 80000011, with the reason; where unsealed ' +
      'submissions lie in the database, the process does not start, and migrates nothing before it says so.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.export',
    source: 'issue 15, 23',
    behaviour:
      'POST /api/personal-data/export (session) gives all that is kept about the account and nothing of others, each ' +
      'kind with why and how long; GET /api/personal-data tells the same as a list with numbers.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.export.decisions',
    source: 'issue 15, 23',
    behaviour:
      'Of the history a person exports the decisions that took effect; the first of two words and looks of operators are ' +
      'left out, and the export says so.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.erase',
    source: 'issue 15, 23',
    behaviour:
      'POST /api/personal-data/erase deletes personal data from every table, ends mandates, API keys, sessions and the ' +
      'verification, keeps payments and signed mandates, and may be repeated; that the person or an operator asked, when ' +
      'and how many of each kind is recorded for good and told.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.erase.signature',
    source: 'issue 15, 23',
    behaviour:
      'An erasure takes a fresh EIP-4361 message of the account’s own wallet whose statement asks for it, used once; such ' +
      'a message logs nobody in. Anything else is 403, 80000004, and nothing is erased.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.erase.races',
    source: 'issue 15, 23',
    behaviour: 'A decision at the moment of an erasure leaves nobody verified and nothing kept.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.erase.history',
    source: 'issue 15, 23',
    behaviour:
      'An erasure removes the reasons that operators wrote about the person. Who decided what and when stays in the ' +
      'history, of which nothing else can change; a withdrawal stands, and taken back verifies nobody who was erased.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.erase.vendor',
    source: 'issue 15, 23',
    behaviour:
      'A vendor is not asked about an erased person, and its webhooks and late answers change nothing, until that person ' +
      'begins anew. What vendors sent is deleted; verdicts stay.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.erase.command',
    source: 'issue 15, 23',
    behaviour:
      'countersign dashboard erase --wallet ADDRESS or --account ID tells what would go; with --yes it erases, beside a ' +
      'dashboard that runs. Exit codes: 0, 1 without such an account, 2 for what it does not understand.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.retention',
    source: 'issue 15, 23',
    behaviour:
      'KYC_RETENTION_DAYS (default 90) after a rejection or withdrawal the personal data of a submission are deleted, by ' +
      'any process, also after all were down; what was decided stays in force.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.retention.renewed',
    source: 'issue 15, 23',
    behaviour: 'An approved renewal deletes the personal data of the submissions that it renews.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.console',
    source: 'issue 15, 23',
    behaviour:
      'The console shows what is kept and why, downloads it, and erases after saying what goes, what stays and why, by the ' +
      'wallet’s signature; by keyboard too and at 390 px.',
    status: 'tested',
  },
  {
    id: 'dashboard.personal.agents',
    source: 'decision 0029',
    behaviour:
      'What is kept about the wallets of the agents that a person ever signed, screenings too, is theirs: counted, exported ' +
      'and, as their own, erased.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
