import type { Requirement } from '../requirement.ts';

/** Reservations on a mandate, so that concurrent spenders never pass its budget. */
export const dashboardHoldRequirements = [
  {
    id: 'dashboard.hold.reserve',
    source: 'page 2, Mandates, Holds',
    behaviour:
      'POST /api/mandates/intent/hold {apiKey, holdId, mandateId, amount, ttlSeconds} answers {holdId, ' +
      'remainingBudget, expiresAt} and lowers remainingBudget by amount.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.same-again',
    source: 'page 2, Mandates, Holds',
    behaviour: 'The same holdId again is the same hold: the same answer, nothing reserved twice.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.same-id-other-content',
    source: 'page 2, Mandates, Holds',
    behaviour: 'The same holdId with another amount or mandate is 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.ttl-range',
    source: 'page 2, Mandates, Holds',
    behaviour: 'ttlSeconds is from 10 to 3600; 9 and 3601 are 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.expires',
    source: 'page 2, Mandates, Holds',
    behaviour: 'A hold past its expiresAt counts no longer: remainingBudget is what it was.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.per-tx-exceeded',
    source: 'page 2, Mandates, Holds',
    behaviour: 'A hold above perTxLimit is 400, 80000056.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.budget-exceeded',
    source: 'page 2, Mandates, Holds',
    behaviour: 'A hold above remainingBudget is 400, 80000057.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.wrong-state',
    source: 'page 2, Mandates, Holds; page 2, Which error, when',
    behaviour:
      'A hold on an expired mandate is 400, 80000054, on an exhausted one 400, 80000055, on a revoked or ' +
      'pending one 404, 80000053.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.release',
    source: 'page 2, Mandates, Holds',
    behaviour:
      'POST /api/mandates/intent/release {apiKey, holdId} gives the held amount back to remainingBudget.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.holders',
    source: 'issue 15, 1',
    behaviour:
      'Hold and release take an optional holder (1 to 128 characters). The same hold placed by several holders is one amount; a ' +
      'release with a holder lets go for that one alone, and the amount is free when the last has let go, the report ' +
      'consumes the hold or it expires. A further holder makes it last for its own ttl if that is longer. Placed without a holder it has one more, without a name; released without one it ends ' +
      'for all. Beyond 32 names further holders have none.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.becomes-usage',
    source: 'page 2, Mandates, Holds',
    behaviour:
      'A pass report whose metadata.holdId names a hold turns it into usage in one step: at no moment are ' +
      'both or neither counted.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.never-overspent',
    source: 'page 2, Mandates, Holds',
    behaviour:
      'However many gateways hold at once on one mandate, held and used together never exceed totalBudget.',
    status: 'tested',
  },
  {
    id: 'dashboard.hold.status-unchanged',
    source: 'page 2, Mandates',
    behaviour: 'Holds never change the status of a mandate, even when they use up its budget.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
