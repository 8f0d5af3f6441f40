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
    status: 'tested',
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
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.list-date',
    source: 'page 2, KYC and KYT',
    behaviour: 'The date of the imported list is shown in the console.',
    status: 'tested',
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
    status: 'tested',
  },
  {
    id: 'dashboard.provider.sumsub',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYC_PROVIDER=sumsub asks Sumsub on its own wire; its 401, HTML error, 429, slow, cut-off and ' +
      'wrongly typed answers are 500, 80000001.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.persona',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYC_PROVIDER=persona asks Persona on its own wire; its 401, HTML error, 429, slow, cut-off and ' +
      'wrongly typed answers are 500, 80000001.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.chainalysis',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=chainalysis asks Chainalysis on its own wire; its 401, HTML error, 429, slow, cut-off ' +
      'and wrongly typed answers are 500, 80000001.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.trm',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=trm asks TRM Labs on its own wire; its 401, HTML error, 429, slow, cut-off and wrongly ' +
      'typed answers are 500, 80000001.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.elliptic',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=elliptic asks Elliptic on its own wire, requests signed; its 401, HTML error, 429, ' +
      'slow, cut-off and wrongly typed answers are 500, 80000001.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.sanctions-oracle',
    source: 'page 2, KYC and KYT',
    behaviour:
      'KYT_PROVIDER=sanctions-oracle asks a contract on chain by isSanctioned(address); a node that is down, late or ' +
      'wrong, and an address without a contract, are 500, 80000001.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.memory',
    source: 'decision 0006',
    behaviour:
      'A vendor’s pass is used again for an hour and a reject for 5 minutes, by every process; an absent answer never.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.configuration',
    source: 'page 2, KYC and KYT',
    behaviour:
      'What a chosen provider needs is demanded at start, all errors at once; keys go to other machines by TLS alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.states',
    source: 'decision 0005',
    behaviour:
      'GET /api/compliance/providers names every provider in use as up, down or stale, with the date of its list.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.evidence',
    source: 'decision 0006',
    behaviour:
      'Every answer of a provider is kept with verdict, request id and list date; what a KYT vendor sent is sealed.',
    status: 'tested',
  },
  {
    id: 'dashboard.provider.evidence.read',
    source: 'decision 0006',
    behaviour: 'countersign compliance evidence ADDRESS shows what is kept about an address, opened.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.several',
    source: 'decision 0006',
    behaviour:
      'Of several providers any reject wins; a pass needs all of their answers, or any with KYT_REQUIRE=any.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.reject-at',
    source: 'decision 0006',
    behaviour: 'KYT rejects from high on; KYT_REJECT_AT makes that medium or severe.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.deny-list.any-provider',
    source: 'page 2, KYC, by name',
    behaviour: 'The deny list counts whichever provider screens, and then no vendor is asked.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.deny-list.list',
    source: 'decision 0005',
    behaviour:
      'POST /api/compliance/deny-list/list shows operators the denied addresses, newest first, with reason and who.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyt.screen',
    source: 'decision 0005',
    behaviour: 'POST /api/compliance/screen (session) answers as KYT does, with source, listDate and at.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.own-status',
    source: 'decision 0005',
    behaviour:
      'GET /api/kyc/status (session) answers {kycStatus, submitted, review, validUntil, renewableFrom, withdrawal} of the account itself.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.submit.vendor',
    source: 'decision 0006',
    behaviour:
      'Where a vendor verifies identities, POST /api/kyc/submit is 404, 80000011, and takes no documents.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.webhook',
    source: 'decision 0005',
    behaviour:
      'POST /api/kyc/webhooks/:provider with a right signature makes us read the vendor again; it decides nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.webhook.signature',
    source: 'decision 0005',
    behaviour:
      'A webhook without a right and fresh signature over its very bytes is 401, 80000019; SHA-1 is no signature.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.webhook.once',
    source: 'decision 0006',
    behaviour:
      'The same event again is 200 and nothing more; one that could not be acted upon is 500, to be sent again.',
    status: 'tested',
  },
  {
    id: 'dashboard.kyc.begin',
    source: 'decision 0005',
    behaviour:
      'POST /api/kyc/begin (session) answers {url, expiresAt}: the KYC vendor’s page for this person; 409, 80000003 when ' +
      'approved already, 404, 80000011 where people review.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
