import type { Requirement } from '../requirement.ts';

/** Reporting, consuming and listing transactions. */
export const dashboardTransactionRequirements = [
  {
    id: 'dashboard.transactions.report',
    source: 'document 2, Endpoints 5; page 2, Which error, when',
    behaviour: 'POST /api/transactions answers 201 with data {id}, an integer that grows.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.report.together',
    source: 'page 2, Mandates; document 2, Endpoints 5',
    behaviour:
      'Reports that come at once are answered, and leave mandates, holds and records, as if they had come one ' +
      'after another; one that cannot be stored fails alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.report.required',
    source: 'document 2, Endpoints 5',
    behaviour:
      'apiKey, serviceName, serviceResult and chain are required; without one of the last three it is 400, ' +
      '80000002.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.report.optional',
    source: 'document 2, Endpoints 5',
    behaviour:
      'txHash, amount, tokenSymbol, payer, payee, intentMandateId, the six screening fields and metadata ' +
      'are optional.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.lengths',
    source: 'document 2, TransactionLog; page 2, Transactions',
    behaviour:
      'serviceName has at most 64 characters, chain 1 to 20 of any text, txHash at most 128, tokenSymbol ' +
      'at most 20; one more is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.service-result',
    source: 'document 2, TransactionLog; document 2, What the service does 4',
    behaviour: 'serviceResult is pass, reject or error, and reports of all three stand in the log.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.parties',
    source: 'document 2, TransactionLog',
    behaviour: 'payer and payee have at most 42 characters and are addresses.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.amount',
    source: 'document 2, TransactionLog; document 2, Limits 1; page 2, Transactions',
    behaviour: 'amount of a record is a string with two fractional digits.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.amount-rounding',
    source: 'page 2, Mandates',
    behaviour: 'amount of a record is rounded half away from zero: 0.005 shows 0.01, 0.004 shows 0.00.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.amount-exact',
    source: 'page 2, Transactions',
    behaviour: 'amountExact of a record is the reported amount, exactly.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.screening-results',
    source: 'document 2, TransactionLog',
    behaviour:
      'payerKycResult, payeeKycResult, payerKytResult and payeeKytResult are 1 (pass) or 0 (fail or ' +
      'unchecked).',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.risk-levels',
    source: 'document 2, TransactionLog',
    behaviour: 'payerKytRiskLevel and payeeKytRiskLevel are 0 low, 1 moderate, 2 high or 3 severe.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.metadata',
    source: 'document 2, TransactionLog',
    behaviour: 'metadata is a free JSON object and is stored as given.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.field.created-at',
    source: 'document 2, TransactionLog',
    behaviour: 'createdAt is the time at which the record was made.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.pass',
    source: 'document 2, Endpoints 5; document 2, States and transitions',
    behaviour:
      'A pass report with intentMandateId adds amount to usedAmount, 1 to transactionCount and sets ' +
      'lastUsedAt.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.pass-only',
    source: 'document 2, Endpoints 5',
    behaviour: 'A reject or error report with intentMandateId consumes nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.exact',
    source: 'page 2, Mandates',
    behaviour: 'A report of 0.001 adds exactly 0.001 to usedAmount.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.atomic',
    source: 'page 2, Mandates',
    behaviour: 'Many reports at once on one mandate add up to the last unit.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.overrun',
    source: 'page 2, Mandates',
    behaviour:
      'A settled payment beyond the budget is recorded and consumed in full; the mandate is exhausted.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.foreign-payer',
    source: 'page 2, Mandates; page 2, Which error, when',
    behaviour:
      'Consumption by a payer that is not the one of the mandate is 403, 80000004, and nothing is recorded.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.never-active',
    source: 'page 2, Mandates',
    behaviour: 'Consumption from a mandate that never was active is 403, 80000004, and nothing is recorded.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.consume.late-report',
    source: 'page 2, Mandates',
    behaviour: 'A mandate revoked or expired between payment and report is still consumed.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.repeat.nonce',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'A settled payment whose metadata has the method permit2 or upto, and a nonce, is known by chain, payer and nonce: each of several ' +
      'in one transaction is recorded and charged, and each once, whatever txHash a second report has. One without a nonce and with the ' +
      'txHash of one of them is 409.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.repeat.tx-hash',
    source: 'page 2, Transactions; page 2, Which error, when',
    behaviour:
      'A second report of one account with the same chain and txHash is 409, 80000003, data {id} of the ' +
      'first, and consumes nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.repeat.trace-id',
    source: 'page 2, Transactions; page 2, Which error, when',
    behaviour:
      'A second report of one account without txHash and with the same metadata.traceId is 409, 80000003, ' +
      'data {id} of the first.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list',
    source: 'document 2, Endpoints 6',
    behaviour: 'GET /api/transactions answers 200 with data {data: [record], total, page, limit}.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.record',
    source: 'document 2, Endpoints 6; page 2, Transactions',
    behaviour:
      'A listed record has every field of TransactionLog and amountExact, but neither metadata nor ' +
      'intentMandateId.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.scope',
    source: 'document 2, Endpoints 6',
    behaviour:
      'scope=myPayer lists records in which the account is payer, myPayee in which it is payee, myAll ' +
      'either, each once.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.scope-required',
    source: 'document 2, Endpoints 6; page 2, Which error, when',
    behaviour: 'Without scope it is 400, 80000002; with an unknown scope 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.own-only',
    source: 'document 2, Endpoints 6; page 2, Transactions',
    behaviour: 'An account sees transactions in which its wallet is payer or payee, and no others.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.page-and-limit',
    source: 'document 2, Endpoints 6; document 2, Limits 4; page 2, Transactions',
    behaviour: 'page is 1 if absent; limit is from 1 to 100, 20 if absent.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.filter.exact',
    source: 'document 2, Endpoints 6',
    behaviour: 'chain, txHash, serviceName and serviceResult each list matching records only, also together.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.filter.dates',
    source: 'document 2, Endpoints 6; page 2, Transactions',
    behaviour: 'startDate and endDate (ISO 8601) list records with startDate <= createdAt < endDate.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.order',
    source: 'page 2, Transactions',
    behaviour: 'Records are listed newest first.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.total',
    source: 'page 2, Transactions',
    behaviour: 'total is the exact number of records that match.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.cursor',
    source: 'page 2, Transactions',
    behaviour:
      'An answer that more records follow has nextCursor; cursor goes on from there without gap or ' +
      'repetition while new records arrive.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.steps',
    source: 'issue 16, 13',
    behaviour:
      'Reports by one reporter that name the same approval (or, without one, the same nonce of one chain and payee) are one record: the ' +
      'payment, or how it stands; steps of GET /api/transactions/{id} tells all of them and what the owner said.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.steps.made-good',
    source: 'issue 16, 13',
    behaviour:
      'Records that could not be made one payment, by an error or because a process died, stand once each, and are one ' +
      'record after the next upkeep.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.steps.never-money',
    source: 'issue 16, 13',
    behaviour:
      'A record of money that moved is never left out for naming the same payment, nor one of another reporter, ' +
      'chain or payee; the other party is told nothing of the steps, nor of the approval by naming it.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.noted',
    source: 'issue 16, 13',
    behaviour:
      'A record has toolName, agent and reason as its reporter noted them, which narrow list, total and CSV; the other ' +
      'party neither sees them nor can narrow by them.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.csv',
    source: 'page 2, Transactions',
    behaviour:
      'format=csv downloads every record that matches as CSV (RFC 4180, UTF-8 with a byte order mark) under a line of ' +
      'names, with reportedBy, verified, mandate, tool, agent and reason; what is wrong with the request is told in an envelope.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.csv.formulas',
    source: 'page 2, Transactions; decision 0005',
    behaviour:
      'In CSV a text that begins with tab, CR or LF, or with =, +, - or @ (full-width too) behind spaces or characters ' +
      'that do not show, has an apostrophe before it.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.list.index-only',
    source: 'page 2, Transactions',
    behaviour: 'No list, total, overview or report reads through the whole log, however long it is.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.get',
    source: 'decision 0005',
    behaviour:
      'GET /api/transactions/:id gives a record of the account with metadata, intentMandateId and both ' +
      'parties’ screenings; any other is 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.report.alone',
    source: 'document 2, Endpoints 5; decision 0009',
    behaviour:
      'A report with an account key that names no party is the account’s own payment: 201, and it stands in ' +
      'its own log.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.verified',
    source: 'decision 0009',
    behaviour:
      'With EVM_RPC_URL the dashboard looks itself, soon after a report and again until the chain cannot ' +
      'take it back, for a transfer of USDC of exactly that amount between exactly these two in that ' +
      'transaction; every record has verified: chain once it was seen, else no.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.verified.reorganised',
    source: 'decision 0009',
    behaviour: 'What a reorganisation took back is verified: no again, and counts for its reporter alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.verified.no-node',
    source: 'decision 0009',
    behaviour: 'Without EVM_RPC_URL every record is verified: no.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.verified.bounded',
    source: 'decision 0009',
    behaviour:
      'However many reports come, and from whom, a node is asked about at most 20 of them a second and four ' +
      'at once; reporters take turns.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.claim',
    source: 'decision 0009',
    behaviour:
      'Every record has reportedBy: payer, payee or operator. Lists, totals, CSV and the overview of an ' +
      'account have what it or an operator reported and what was seen on chain; what the other party merely ' +
      'claims is listed with standing=claimed only.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.claim.screenings',
    source: 'decision 0009',
    behaviour:
      'Screenings that the other party reported are null to an account; it sees its own and an operator’s.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.claim.not-told',
    source: 'decision 0009',
    behaviour: 'The stream of events tells an account nothing of what others merely claim.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.one-payment',
    source: 'decision 0009',
    behaviour:
      'A payment (chain, hash, payer, payee) that several report is one record to each party: its own, else ' +
      'an operator’s, else the one seen on chain; it counts once in every sum.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.private',
    source: 'document 2, Endpoints 6; decision 0009',
    behaviour:
      'Metadata (with agent and tool) and mandate of a record are shown to whoever reported it, those of an ' +
      'operator to the payer; the other party sees null.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.spelling',
    source: 'decision 0009',
    behaviour:
      'A hash of an EVM chain is kept with 0x, and USDC in capitals, however a report spells them; so such a report is looked ' +
      'for on chain, and is the same payment to the duplicate check and the filter. A hash that an earlier build kept without 0x ' +
      'is no exception.',
    status: 'tested',
  },
  {
    id: 'dashboard.transactions.repeat.chain-names',
    source: 'page 2, Transactions; decision 0009',
    behaviour:
      'All names of a chain (base, 8453, eip155:8453; in any case) are one chain to the duplicate check and the filter, ' +
      'and hashes compare without case. Records that an earlier build kept in another spelling are no exception: those that ' +
      'turn out to be one payment count once.',
    status: 'tested',
  },
  {
    id: 'dashboard.overview',
    source: 'decision 0005',
    behaviour:
      'GET /api/overview gives what passing payments of the account have cost today, this month and on each ' +
      'of the last 30 days (UTC, exact), the number of approvals that wait, and the active mandate or null.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
