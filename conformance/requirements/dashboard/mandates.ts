import type { Requirement } from '../requirement.ts';

/** The life of an intent mandate and its endpoints. */
export const dashboardMandateRequirements = [
  {
    id: 'dashboard.mandate.fields.identity',
    source: 'document 2, IntentMandate',
    behaviour: 'A mandate has id, accountId, title, status and expiresAt.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.fields.amounts',
    source: 'document 2, IntentMandate; page 2, Mandates',
    behaviour:
      'A mandate has perTxLimit, totalBudget and usedAmount as decimal strings (36 digits, 18 of them ' +
      'fractional).',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.fields.usage',
    source: 'document 2, IntentMandate',
    behaviour: 'A mandate has transactionCount (integer) and lastUsedAt (null before the first use).',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.fields.signature',
    source: 'document 2, IntentMandate; page 2, Mandates',
    behaviour: 'A mandate has signature (EIP-712) and vcJson, an object, or null before it was signed.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.fields.ours',
    source: 'page 2, Mandates',
    behaviour: 'A mandate further has remainingBudget, heldAmount and createdAt.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.canonical-decimals',
    source: 'page 2, Mandates',
    behaviour:
      'Decimals are canonical strings: 1.50 comes back as 1.5, with neither exponent nor trailing zeros.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.amount-range',
    source: 'document 2, Limits 1',
    behaviour:
      'Amounts with 18 integer and 18 fractional digits are kept exactly; a longer one is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.times',
    source: 'page 2, Mandates',
    behaviour: 'Times of a mandate are ISO 8601 with milliseconds.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.remaining-budget',
    source: 'page 2, Mandates, Holds',
    behaviour: 'remainingBudget is totalBudget less used less held, and never below "0".',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.states',
    source: 'document 2, IntentMandate; document 2, States and transitions',
    behaviour: 'status is pending, active, exhausted, expired or revoked.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.one-active',
    source: 'document 2, IntentMandate; document 2, Limits 3',
    behaviour: 'An account has at most one active mandate at any time.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.one-active.concurrent-sign',
    source: 'page 2, Mandates',
    behaviour: 'Two mandates signed at the same moment leave exactly one active.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.one-active.constraint',
    source: 'page 2, Mandates',
    behaviour: 'The database itself refuses a second active mandate of one account.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.transition.create',
    source: 'document 2, States and transitions; document 2, Endpoints 7',
    behaviour: 'create makes a pending mandate.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.transition.sign',
    source: 'document 2, States and transitions; document 2, Endpoints 7',
    behaviour:
      'sign by the wallet of the session turns a pending mandate active and stores vcJson and signature.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.transition.sign-revokes-other',
    source: 'document 2, States and transitions; document 2, IntentMandate',
    behaviour: 'Signing a mandate turns the active one of the account revoked.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.transition.revoke',
    source: 'document 2, States and transitions',
    behaviour: 'revoke turns an active mandate revoked.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.transition.exhausted',
    source: 'document 2, States and transitions; page 2, Mandates',
    behaviour: 'A mandate turns exhausted once usedAmount reaches or passes totalBudget, and not before.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.transition.expired',
    source: 'document 2, States and transitions; page 2, Mandates',
    behaviour: 'A mandate is expired from expiresAt on, by the clock at the moment of asking.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.end-state.never-active',
    source: 'document 2, States and transitions',
    behaviour: 'No call makes a revoked, exhausted or expired mandate active again.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.end-state.stays',
    source: 'page 2, Mandates',
    behaviour: 'Signing a newer mandate leaves expired and exhausted ones as they are.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.create.body',
    source: 'document 2, Endpoints 7; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/create takes title, perTxLimit, totalBudget (decimal strings) and ' +
      'validDays (integer).',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.create.valid-days',
    source: 'page 2, Mandates',
    behaviour: 'validDays is from 1 to 365; 0 and 366 are 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.create.data',
    source: 'document 2, Endpoints 7; page 2, Mandates',
    behaviour: 'create answers data {mandateId, unsignedCredential, typedData, mandate}.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.create.expires-at',
    source: 'page 2, Mandates',
    behaviour: 'expiresAt is set at create, validDays ahead; the signed message carries the same ISO text.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.typed-data-ready',
    source: 'page 2, Mandates',
    behaviour: 'typedData goes unchanged into eth_signTypedData_v4, and sign accepts that signature.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.chain-id',
    source: 'page 2, Mandates',
    behaviour: 'chainId of typedData is SETTLEMENT_CHAIN_ID, 8453 if unset.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.prepare-sign',
    source: 'document 2, Endpoints 8; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/prepare-sign {mandateId} of a pending mandate answers data as create, for ' +
      'that same mandate.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.sign.data',
    source: 'page 2, Mandates',
    behaviour: 'POST /api/mandates/intent/sign {mandateId, signature} answers data {mandate} with vcJson.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.sign.wrong-signer',
    source: 'document 2, Endpoints 7; page 2, Which error, when',
    behaviour: 'sign with a signature of another wallet is 403, 80000004, and changes nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.sign.contract-wallet',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'With an RPC URL set, the wallet of an account that is a contract signs mandates too (ERC-1271, ERC-6492); what ' +
      'it did not sign is 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.contract-wallet.no-node',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'Without an RPC URL what a contract wallet signed is refused, and the refusal names EVM_RPC_URL.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.sign.already-active',
    source: 'page 2, Which error, when',
    behaviour: 'sign of a mandate that is active already is 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.sign.wrong-state',
    source: 'page 2, Which error, when',
    behaviour:
      'sign of a revoked mandate is 404, 80000053, of an expired one 400, 80000054, of an exhausted one ' +
      '400, 80000055.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.list',
    source: 'document 2, Endpoints 8; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/list {status?, page?, limit?} answers data {data: [mandate], total, page, ' +
      'limit}, newest first.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.list.own-only',
    source: 'document 2, Endpoints 8',
    behaviour: 'list shows mandates of the own account and no others.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.revoke.data',
    source: 'document 2, Endpoints 8; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/revoke {mandateId?} answers data {mandate}; without mandateId it is the ' +
      'active one.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.revoke.none-active',
    source: 'page 2, Which error, when',
    behaviour: 'revoke when no mandate is active, or of one pending or revoked, is 404, 80000053.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.revoke.ended',
    source: 'page 2, Which error, when',
    behaviour: 'revoke of an expired mandate is 400, 80000054, of an exhausted one 400, 80000055.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.update.limits',
    source: 'document 2, Endpoints 8; document 2, States and transitions; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/update {mandateId, perTxLimit?, totalBudget?} turns the mandate pending, ' +
      'voids its signature and answers data as create; nothing can be spent until the wallet signs again.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.update.void-stays-void',
    source: 'page 2, Mandates; decision 0005',
    behaviour:
      'Each update and adjust that voids a signature moves expiresAt by at least a millisecond, so that no older ' +
      'signature fits the mandate again, even when the old limits come back.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.exhausted-by-owner',
    source: 'page 2, Mandates; decision 0005',
    behaviour: 'update and adjust to a totalBudget of exactly what is used turn the mandate exhausted.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.title.blank',
    source: 'decision 0005',
    behaviour: 'A title without a visible character is 400, 80000012, on create and update.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.update.title',
    source: 'page 2, Mandates',
    behaviour: 'update with title alone changes title and leaves status and signature.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.update.below-used',
    source: 'page 2, Mandates',
    behaviour: 'update of totalBudget below used and held is 400, 80000057.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.adjust.down',
    source: 'document 2, Endpoints 8; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/adjust {mandateId, totalBudget} from used and held up to what was signed ' +
      'works at once, without a signature, and answers data {mandate}.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.adjust.up',
    source: 'page 2, Mandates',
    behaviour: 'adjust above what was signed turns the mandate pending and answers data as create.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.adjust.below-per-tx-limit',
    source: 'page 2, Mandates',
    behaviour: 'adjust to a totalBudget below perTxLimit is accepted.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.renew.new-mandate',
    source: 'document 2, Endpoints 8; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/renew {mandateId, validDays} of an expired, exhausted or revoked mandate ' +
      'makes a new pending one with the same limits and answers data as create.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.renew.old-stays',
    source: 'page 2, Mandates',
    behaviour: 'renew leaves the old mandate in its end state.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.renew.pending',
    source: 'page 2, Which error, when',
    behaviour: 'renew of a pending mandate is 404, 80000053.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.delete',
    source: 'document 2, Endpoints 8; page 2, Mandates',
    behaviour:
      'POST /api/mandates/intent/delete {mandateId} of a mandate that is not active removes it and answers ' +
      'data {mandateId}.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.delete.active',
    source: 'page 2, Mandates; page 2, Which error, when',
    behaviour: 'delete of an active mandate is 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.delete.transactions-stay',
    source: 'page 2, Mandates',
    behaviour: 'The transactions of a deleted mandate stay in the log.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.delete.late-report',
    source: 'page 2, Mandates, Consumption',
    behaviour: 'A payment made under a mandate that was deleted meanwhile is still recorded.',
    status: 'tested',
  },
  {
    id: 'dashboard.mandate.change.ended',
    source: 'page 2, Which error, when',
    behaviour:
      'update of limits, adjust and policy of an expired mandate are 400, 80000054, of an exhausted one 400, ' +
      '80000055, of a revoked one 404, 80000053.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
