import type { Requirement } from '../requirement.ts';

const source = 'issue 15, 23';

/** How compliance corrects itself, and what stays on record of it. */
export const dashboardCorrectionRequirements = [
  {
    id: 'dashboard.kyc.withdraw',
    source,
    behaviour:
      'POST /api/kyc/withdraw (operator session) {walletAddress, reason}: from the next question on KYC is not approved, ' +
      'the person reads the reason, and what they had handed in ends. Of decisions at once it wins.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.withdraw.vendor',
    source,
    behaviour:
      'Where a vendor verifies people, a withdrawal wins over its answers, remembered or new, until it is taken back.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.restore',
    source,
    behaviour:
      'POST /api/kyc/restore (operator session) {walletAddress, reason} takes a withdrawal back: the approval stands ' +
      'again until its old end.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.reason',
    source,
    behaviour:
      'A rejection or withdrawal without a reason is 400, 80000002, with a blank one 400, 80000012; the person reads ' +
      'it at GET /api/kyc/status.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.expiry',
    source,
    behaviour:
      'An approval by operators counts for KYC_VALID_DAYS (1 to 3650, default 365) by the clock at the moment of asking; ' +
      'after that kycStatus is pending, or rejected where a renewal was.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.renewal',
    source,
    behaviour:
      'From 30 days (or half the validity) before its end, and after it, one may hand in again; until the renewal is decided, ' +
      'and if it is rejected, the approval counts to its end.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.submit.often',
    source,
    behaviour: 'A fourth submission within 24 hours is 409, 80000003, and tells when the next may be.',
    status: 'tested',
  },
  {
    id: 'dashboard.compliance.history',
    source,
    behaviour:
      'Every decision about an identity or the deny list stays on record with operator, time and reason; POST ' +
      '/api/compliance/history/list shows it to operators, newest first, of a wallet or a topic.',
    status: 'tested',
  },
  {
    id: 'dashboard.compliance.history.append-only',
    source,
    behaviour:
      'The database refuses to update, delete or truncate the history, but for one thing: the reason of a decision about ' +
      'a person may become null. Reasons of the deny list stay.',
    status: 'tested',
  },
  {
    id: 'dashboard.compliance.deny-list.oneself',
    source,
    behaviour: 'An operator who denies their own wallet, or takes it off the deny list, gets 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.compliance.four-eyes',
    source,
    behaviour:
      'With KYC_FOUR_EYES=1 an approval, a withdrawal taken back and an address off the deny list need two different ' +
      'operators: the first answer has firstWord, the same operator again is 409, 80000003. One rejects, withdraws and denies.',
    status: 'tested',
  },
  {
    id: 'dashboard.compliance.four-eyes.changed-mind',
    source,
    behaviour:
      'A first word ends when it is taken back (POST /api/compliance/first-words/retract), also while the second operator ' +
      'speaks, when anybody says no, and when who said it is no operator any more.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.everybody',
    source,
    behaviour:
      'GET /api/transactions?scope=all shows an operator (session) every record of everybody, with filters, walletAddress and ' +
      'CSV; GET /api/transactions/:id?scope=all shows one with metadata. To others both are 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.everybody.on-record',
    source,
    behaviour: 'Each such look is in the compliance history, with what was asked for, before it is answered.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
