import type { Requirement } from '../requirement.ts';

/** Policies beside mandates, and alerts about them. */
export const dashboardPolicyRequirements = [
  {
    id: 'dashboard.policy.set',
    source: 'decision 0005',
    behaviour:
      'POST /api/mandates/intent/policy {mandateId, policy} replaces the policy without a signature and answers ' +
      '{mandate}; every mandate carries its policy.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.renewed',
    source: 'decision 0005',
    behaviour: 'A renewed mandate has the policy of the old one.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.only-tightens',
    source: 'decision 0005',
    behaviour: 'No policy lets a hold through that the signed limits refuse.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.paused',
    source: 'decision 0005',
    behaviour: 'A hold on a paused mandate is 404, 80000053, MANDATE_PAUSED.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.paused',
    source: 'decision 0005',
    behaviour: 'vc of a paused mandate is 404, 80000053, found false, MANDATE_PAUSED.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.lists',
    source: 'decision 0005',
    behaviour:
      'A hold whose payee or serviceId is not on the list, or that names none, is 403, 80000004, ' +
      'MERCHANT_NOT_ALLOWED or SERVICE_NOT_ALLOWED.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.threshold',
    source: 'decision 0005',
    behaviour: 'A hold above approvalThreshold is 400, 80000056, APPROVAL_THRESHOLD_EXCEEDED.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.period',
    source: 'decision 0005',
    behaviour:
      'A hold that, with what is used in this calendar day, week (from Monday) or month in UTC and what is held, ' +
      'passes the budget of the period is 400, 80000057, PERIOD_BUDGET_EXCEEDED.',
    status: 'tested',
  },
  {
    id: 'dashboard.alerts.budget',
    source: 'decision 0005',
    behaviour:
      'The report that brings usage to 50, 80 or 100 percent of the budget makes the alert budget_50, budget_80 or ' +
      'budget_100, each once for a mandate.',
    status: 'tested',
  },
  {
    id: 'dashboard.alerts.expires-soon',
    source: 'decision 0005',
    behaviour: 'An active mandate makes the alert expires_soon once, a day before it ends.',
    status: 'tested',
  },
  {
    id: 'dashboard.alerts.events',
    source: 'decision 0005',
    behaviour: 'Each alert comes down GET /api/events once when it is made.',
    status: 'tested',
  },
  {
    id: 'dashboard.alerts.list',
    source: 'decision 0005',
    behaviour:
      'POST /api/alerts/list {page?, limit?} lists {id, mandateId, kind, createdAt, seenAt} of the own account, ' +
      'newest first.',
    status: 'tested',
  },
  {
    id: 'dashboard.alerts.seen',
    source: 'decision 0005',
    behaviour:
      'POST /api/alerts/seen {ids} notes when alerts of the own account were first seen and answers {ids}.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.new-payees',
    source: 'issue 19, 1',
    behaviour:
      'With newPayees `ask` a hold for a payee is 400, 80000056, NEW_PAYEE, until the owner has signed a payment to it from that ' +
      'wallet in the inbox; lists are judged before. A policy without the field leaves it as it is.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.new-payees.chain',
    source: 'issue 19, 1',
    behaviour:
      'A hold may name its chain (else it is the dashboard’s own): an approval of a payment on another chain leaves its payee new.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.new-payees.inherited',
    source: 'issue 19, 1',
    behaviour: 'A new mandate begins with newPayees of the last mandate of the same wallet.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.standing-hold',
    source: 'issue 19, 1',
    behaviour:
      'A hold that stands is judged by the policy of the moment as if it did not, before it is answered again; the same holdId ' +
      'with another payee is 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.policy.exceeded',
    source: 'issue 19, 1',
    behaviour:
      'A refusal of a hold that names its chain, and that the owner may lift, names all exceeded rules in data.exceeded. A hold with an approvalId of the same ' +
      'payer, payee, amount and chain may exceed the rules in reasons of that approval, and no other; lists and a pause bind it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
