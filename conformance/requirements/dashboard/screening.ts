import type { Requirement } from '../requirement.ts';

/** KYC, KYT and the providers behind them. */
export const dashboardScreeningRequirements = [
  {
    id: 'dashboard.kyc.check',
    source: 'document 2, Endpoints 3',
    behaviour:
      'POST /api/kyc/check {apiKey, walletAddress} answers 200 with data {walletAddress, kycCompleted, ' +
      'kycStatus}.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.status',
    source: 'document 2, Endpoints 3',
    behaviour:
      'kycStatus is pending after a submission without a decision, approved (kycCompleted true) after ' +
      'approval, rejected after rejection.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.unknown-wallet',
    source: 'page 2, KYC and KYT',
    behaviour: 'A wallet without account or submission is 200 with kycCompleted false and kycStatus pending.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.submit',
    source: 'page 2, KYC, by name',
    behaviour:
      'POST /api/kyc/submit (session) {fullName, country, documentType, documentNumber} answers ' +
      '{kycStatus: pending}.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.submit.values',
    source: 'page 2, KYC, by name',
    behaviour:
      'country is ISO 3166-1 alpha-2 and documentType passport, id_card or driving_licence; another is ' +
      '400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.reviews.list',
    source: 'page 2, KYC, by name',
    behaviour: 'POST /api/kyc/reviews/list shows an operator the submissions to review.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.reviews.decide',
    source: 'page 2, KYC, by name',
    behaviour:
      'POST /api/kyc/reviews/:id/decide {decision: approve or reject, reason?} by an operator sets ' +
      'kycStatus.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.reviews.operators-only',
    source: 'page 2, KYC, by name',
    behaviour:
      'Operators are the accounts whose wallet stands in OPERATOR_ADDRESSES; to others the review ' +
      'endpoints are 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.reviews.not-oneself',
    source: 'page 2, KYC, by name',
    behaviour: 'An operator cannot decide about the own submission: 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.reviews.console',
    source: 'page 2, KYC and KYT',
    behaviour: 'The embedded KYC provider is a review queue in the console.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.kyt.check',
    source: 'document 2, Endpoints 4',
    behaviour:
      'POST /api/compliance/kyt/check {apiKey, walletAddress, chain?} answers 200 with data {address, ' +
      'chain, decision, riskLevel, riskScore}.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.decision',
    source: 'document 2, Endpoints 4',
    behaviour: 'decision is pass or reject, riskLevel low, medium, high or severe, riskScore a number.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.chain-default',
    source: 'document 2, Endpoints 4',
    behaviour: 'chain is ETH if absent.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.chain-known',
    source: 'page 2, Transactions',
    behaviour:
      'KYT knows ETH, base, base-sepolia, polygon, arbitrum, optimism, their chain ids and CAIP-2 forms, ' +
      'and echoes what was sent.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.chain-unknown',
    source: 'page 2, Transactions',
    behaviour: 'Another chain is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.listed',
    source: 'page 2, KYC and KYT',
    behaviour: 'An address on the screening list is decision reject, riskLevel severe, riskScore 100.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.not-listed',
    source: 'page 2, KYC and KYT',
    behaviour: 'An address on no list is decision pass, riskLevel low, riskScore 0.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.no-list',
    source: 'page 2, KYC and KYT',
    behaviour: 'Without any list KYT is 500, 80000001, never a pass.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.stale-list',
    source: 'page 2, KYC and KYT',
    behaviour: 'With a list older than 7 days KYT is 500, 80000001, never a pass.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.import',
    source: 'page 2, KYC and KYT',
    behaviour:
      'countersign compliance import FILE|URL imports the digital-currency addresses of the official OFAC ' +
      'SDN XML.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.kyt.list-date',
    source: 'page 2, KYC and KYT',
    behaviour: 'The date of the imported list is shown in the console.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.kyt.deny-list.add',
    source: 'page 2, KYC, by name',
    behaviour:
      'POST /api/compliance/deny-list/add (operator session) {address, reason}: the address is rejected ' +
      'from then on.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.deny-list.remove',
    source: 'page 2, KYC, by name',
    behaviour:
      'POST /api/compliance/deny-list/remove (operator session) {address, reason}: the address is screened ' +
      'as before.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.deny-list.operators-only',
    source: 'page 2, KYC, by name',
    behaviour: 'The deny-list endpoints are 403, 80000004 for accounts that are no operators.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.failure',
    source: 'page 2, KYC and KYT',
    behaviour: 'A provider that is down, late or malformed is 500, 80000001, never a pass.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.embedded-default',
    source: 'page 2, KYC and KYT',
    behaviour:
      'Without KYC_PROVIDER and KYT_PROVIDER the embedded review queue and list screening answer, offline.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.console',
    source: 'page 2, KYC and KYT',
    behaviour: 'The console says which KYC and KYT providers are in use.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.provider.sumsub',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYC_PROVIDER=sumsub asks Sumsub on its own wire; its 401, HTML error, 429, slow, cut-off and ' +
      'wrongly typed answers are 500, 80000001.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.provider.persona',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYC_PROVIDER=persona asks Persona on its own wire; its 401, HTML error, 429, slow, cut-off and ' +
      'wrongly typed answers are 500, 80000001.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.provider.chainalysis',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=chainalysis asks Chainalysis on its own wire; its 401, HTML error, 429, slow, cut-off ' +
      'and wrongly typed answers are 500, 80000001.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.provider.trm',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=trm asks TRM Labs on its own wire; its 401, HTML error, 429, slow, cut-off and wrongly ' +
      'typed answers are 500, 80000001.',
    status: { planned: 4 },
  },
  {
    id: 'dashboard.provider.elliptic',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=elliptic asks Elliptic on its own wire, requests signed; its 401, HTML error, 429, ' +
      'slow, cut-off and wrongly typed answers are 500, 80000001.',
    status: { planned: 4 },
  },
] as const satisfies readonly Requirement[];
