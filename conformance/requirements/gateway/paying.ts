import type { Requirement } from '../requirement.ts';

/** How a payment is made once, counted once and reported once. */
export const gatewayPayingRequirements = [
  {
    id: 'gateway.paying.x402-v1',
    source: 'page 1, Paying',
    behaviour: 'A service that asks for payment with x402 version 1 over MCP is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.x402-v2',
    source: 'page 1, Paying',
    behaviour: 'A service that asks for payment with x402 version 2 over MCP is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.dialect.json-rpc-402',
    source: 'page 1, Paying',
    behaviour: 'A service that asks for payment with a JSON-RPC error 402 is recognised and paid.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.dialect.json-rpc-32042',
    source: 'page 1, Paying',
    behaviour: 'A service that asks for payment with a JSON-RPC error -32042 is recognised and paid.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.dialect.meta-error',
    source: 'page 1, Paying',
    behaviour: 'A service that asks for payment with _meta["x402/error"] is recognised and paid.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.dialect.dotted-keys',
    source: 'page 1, Paying',
    behaviour:
      'A v1 service with a paymentHint annotation, or whose error names _meta["x402.payment"], also gets ' +
      'the payment as base64 text under that key.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.on-chain',
    source: 'page 1, Paying',
    behaviour: 'A paid call moves exactly amount of asset from the gateway wallet to payTo on chain.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.settled.trusted-answer',
    source: 'page 1, Paying, What counts as settled',
    behaviour:
      'A payment counts as settled only with success true, a 32-byte transaction hash, and network and ' +
      'payer ours; anything else is PAYMENT_OUTCOME_UNKNOWN.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.settled.receipt',
    source: 'page 1, Paying, What counts as settled',
    behaviour:
      'With EVM_RPC_URL a payment counts as settled only when the receipt of the transaction carries ' +
      'AuthorizationUsed(payer, nonce) and the Transfer of the payment, of its amount from payer to payee.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.settled.pending',
    source: 'page 1, Paying, What counts as settled',
    behaviour: 'An answer settlement_pending gives PAYMENT_OUTCOME_UNKNOWN.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.before-signing',
    source: 'page 1, Paying, No overspending',
    behaviour:
      'The checks done and before it signs, the gateway places a hold on the mandate with POST ' +
      '/api/mandates/intent/hold.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.refused',
    source: 'page 1, Paying, No overspending',
    behaviour: 'A hold that the dashboard refuses gives the challenge, and nothing is signed.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.endpoint-absent',
    source: 'page 1, Paying, No overspending',
    behaviour:
      'Against a dashboard without the hold endpoint (404) the gateway counts its own open reservations in ' +
      'the budget rule.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.until',
    source: 'page 1, Paying, No overspending',
    behaviour:
      'A payment counts as held until expiresAt of its hold, and no longer: of one that was placed before, which runs out ' +
      'earlier than what is asked for now, too. From then on, or a second earlier, since the clocks may differ by one, the gateway ' +
      'counts it itself.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.becomes-usage',
    source: 'page 1, Paying, No overspending',
    behaviour: 'The report of a settled payment names holdId in metadata and turns the hold into usage.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.stays-after-doubt',
    source: 'page 1, Paying, No overspending',
    behaviour:
      'After PAYMENT_OUTCOME_UNKNOWN, PAYMENT_REJECTED or SETTLEMENT_FAILED the report carries no holdId, ' +
      'and the hold stays until validBefore has passed unused.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.counts-when-used',
    source: 'page 1, Paying, No overspending',
    behaviour:
      'When the chain says that the nonce of a doubtful payment was used, its hold turns into usage.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.concurrency',
    source: 'page 1, Paying, No overspending',
    behaviour:
      'Many concurrent paid calls from several gateways on one mandate, with processes killed at random, ' +
      'never settle more than the budget.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.policy.not-listed',
    source: 'decision 0005',
    behaviour:
      'A hold names payee and service; where the policy of the mandate does not list them, the call ends in ' +
      'PAYMENT_UNSUPPORTED, and nothing is signed or asked.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.policy.asks-owner',
    source: 'decision 0005',
    behaviour:
      'Above the approval threshold or the budget of the period the call is a challenge, and is paid once the ' +
      'owner has signed it.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.policy.new-payees',
    source: 'issue 19, 1',
    behaviour:
      'Where the owner wants to be asked about new payees, the first payment to one is a challenge (PER_TX_LIMIT_EXCEEDED, reason ' +
      'NEW_PAYEE in the inbox and the record); what the owner signs is paid, and the next payment to it asks nobody.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.policy.every-rule',
    source: 'issue 19, 1',
    behaviour:
      'An approval names every rule that the payment exceeds (`reasons`); what the owner approved is held on the mandate like every ' +
      'payment, lists and a pause bind it, and a rule that the owner was not told of is asked about anew.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.policy.paused',
    source: 'decision 0005',
    behaviour: 'While the mandate is paused a paid call ends in MANDATE_NOT_FOUND.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.nonce.derived',
    source: 'page 1, Paying, No double payment',
    behaviour:
      'The EIP-3009 nonce is derived from service, tool, arguments, requirement, mandate and idempotency ' +
      'key or call id: one logical call can settle only once.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.nonce.differs',
    source: 'page 1, Paying, No double payment',
    behaviour: 'Two calls without idempotencyKey use different nonces and settle separately.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.journal.before-sending',
    source: 'page 1, Paying, No double payment',
    behaviour:
      'Nonce and validity are in the journal on disk before the payload leaves: a gateway killed after ' +
      'sending knows them after its restart.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.retry.same-payload',
    source: 'page 1, Paying, No double payment',
    behaviour:
      'After PAYMENT_OUTCOME_UNKNOWN the same call with the same idempotencyKey sends the identical ' +
      'payload again, never a new signature.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.retry.stored-envelope',
    source: 'page 1, Paying, No double payment',
    behaviour:
      'The same call with the same idempotencyKey after success returns the stored envelope, marked replayed, ' +
      'and calls nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.state.forgets',
    source: 'decision 0004',
    behaviour:
      'A payment that the dashboard has counted is forgotten after a day, or after 30 where an idempotencyKey ' +
      'names it; stored answers and approvals after 30 days; never a payment whose outcome is open or whose ' +
      'report has not arrived.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.reconcile',
    source: 'page 1, Paying, No double payment',
    behaviour:
      'With EVM_RPC_URL the gateway settles an unknown outcome on chain by authorizationState and ' +
      'AuthorizationUsed; what has settled is reported as pass with code SUCCESS.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.settle-then-hang',
    source: 'page 1, Paying, No double payment',
    behaviour:
      'A service that takes the payment and then answers late or brokenly gives PAYMENT_OUTCOME_UNKNOWN, ' +
      'never a second payment.',
    status: 'tested',
  },
  {
    id: 'gateway.cancel.before-sending',
    source: 'decision 0017',
    behaviour:
      'notifications/cancelled over stdio and HTTP in every revision, a closed connection and a time-out end a ' +
      'call until its payment is sent: nothing is signed or sent, the hold is released, the journal entry and ' +
      'its approval are given back, and the downstream call is cancelled.',
    status: 'tested',
  },
  {
    id: 'gateway.cancel.own-calls-only',
    source: 'decision 0017',
    behaviour:
      'A cancellation names a call of its own session; twice, or of an unknown id, it changes nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.cancel.after-sending',
    source: 'decision 0017',
    behaviour: 'A cancellation or time-out after the payment was sent does not undo it: it goes to its end.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.key.joins',
    source: 'decision 0017',
    behaviour:
      'A second call with a running key and the same arguments joins it, at this gateway or another one on the ' +
      'same state: both get the same answer, and one payment is made.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.kept.next-identical-call',
    source: 'decision 0017',
    behaviour:
      'Without a key, the answer to a paid call whose caller never got it goes to the next identical call of the ' +
      'same agent within 10 minutes, once, with replayed true and the same settlement; also while it is under way.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.kept.durable',
    source: 'decision 0017',
    behaviour:
      'A kept answer outlives kill -9; of a payment under way then, the next identical call learns that its ' +
      'outcome is unknown, and pays nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.kept.crash',
    source: 'decision 0017',
    behaviour:
      'A payment without a key whose process was killed while its caller waited is not paid for twice: within 10 minutes ' +
      'the next identical call sends that very payment again, or learns that it has settled. What a living process waits ' +
      'for is its own.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.kept.bounded',
    source: 'decision 0017',
    behaviour:
      'A kept answer has at most 1 MiB and all of a wallet 256 MiB together, oldest first: of others code and ' +
      'settlement stay without content, the message says so, and the key pays no second time.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.retry.not-counted-twice',
    source: 'decision 0017',
    behaviour:
      'The same key resumes a payment of unknown outcome without being held against what is left of the budget.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.retry.used-approval',
    source: 'decision 0017',
    behaviour:
      'The same key resumes a payment that the owner approved, though its approval is used up by then; a call without a ' +
      'key is told that its approval went into an earlier payment.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.resume-given-up',
    source: 'issue 15, 4',
    behaviour:
      'A payment of unknown outcome that is found unused between being found by its key and being sent again is not ' +
      'sent: the call is judged against the budget anew, and nothing is signed beyond it.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.given-back',
    source: 'issue 15, 1',
    behaviour:
      'A hold whose payment the journal refuses, because what has left already takes the budget, is released at once, with ' +
      'and without a key.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.hold.own-release',
    source: 'issue 15, 1',
    behaviour:
      'Each call is a holder of its own: what it releases is its own part of a hold. The same call under the same key at a ' +
      'gateway on another state keeps its hold when this one is cancelled.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.resume.on-disk',
    source: 'issue 15, 4',
    behaviour:
      'A payment that another process left in the journal is on disk before it is sent again, though that process died ' +
      'before it was: a power failure then loses no payment that has left.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.adopted-while-settled',
    source: 'issue 15, 2',
    behaviour:
      'A call without a key that comes while the payment which a dead process left for it is found settled gets that ' +
      'payment or its kept answer, whatever of the two is first, and pays for nothing anew; what settles while a call ' +
      'has taken it over, and is not told by that one, is told to the next. It is told once, also where recording it failed.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.session-lost',
    source: 'decision 0017',
    behaviour:
      'A session that the service has lost (404) at the paid call is opened again, and the identical payload sent ' +
      'once more at once.',
    status: 'tested',
  },
  {
    id: 'gateway.paying.words',
    source: 'decision 0017',
    behaviour:
      'A message says that calling again is safe only where the call gave a key, else not to before validBefore; ' +
      'after payment an ended stream, a tool error and a too-large answer each say what they are.',
    status: 'tested',
  },
  {
    id: 'gateway.report.fire-and-forget',
    source: 'document 1, What the service does 7; document 1, Events 1',
    behaviour:
      'After settlement the transaction goes to POST /api/transactions without the reply waiting: with a ' +
      'slow dashboard the agent is answered at once.',
    status: 'tested',
  },
  {
    id: 'gateway.report.failure-harmless',
    source: 'document 1, Events 1',
    behaviour: 'A report that fails changes nothing in the reply or in the payment.',
    status: 'tested',
  },
  {
    id: 'gateway.report.pass',
    source: 'page 1, Paying, What is recorded; document 1, Events 2',
    behaviour: 'A settled payment is reported as pass with its txHash.',
    status: 'tested',
  },
  {
    id: 'gateway.report.pass-consumes',
    source: 'document 1, What the service does 7; page 1, Paying, No overspending',
    behaviour:
      'The report of a settled payment under a mandate carries intentMandateId, and usedAmount of the ' +
      'mandate grows by the amount.',
    status: 'tested',
  },
  {
    id: 'gateway.report.reject.refusal',
    source: 'page 1, Paying, What is recorded; document 1, Events 2',
    behaviour: 'A compliance or assurance refusal is reported as reject and consumes no budget.',
    status: 'tested',
  },
  {
    id: 'gateway.report.reject.challenge',
    source: 'page 1, Paying, What is recorded',
    behaviour: 'A challenge is reported as reject and consumes no budget.',
    status: 'tested',
  },
  {
    id: 'gateway.report.error',
    source: 'page 1, Paying, What is recorded; document 1, Events 2',
    behaviour: 'A payment that failed or whose outcome is unknown is reported as error.',
    status: 'tested',
  },
  {
    id: 'gateway.report.free-call',
    source: 'page 1, Paying, What is recorded',
    behaviour: 'A free call is not reported.',
    status: 'tested',
  },
  {
    id: 'gateway.report.exact-amount',
    source: 'page 1, Paying, What is recorded',
    behaviour: 'amount of a report is the exact decimal: 0.001 for a payment of 0.001 USDC.',
    status: 'tested',
  },
  {
    id: 'gateway.report.service-name',
    source: 'page 1, Paying, What is recorded',
    behaviour: 'serviceName of a report is the serviceId.',
    status: 'tested',
  },
  {
    id: 'gateway.report.screening',
    source: 'document 1, Events 2; document 2, TransactionLog',
    behaviour:
      'A report carries KYC and KYT results of payer and payee as 1 or 0 and risk levels as 0 low, 1 ' +
      'moderate (medium of the look-up), 2 high, 3 severe.',
    status: 'tested',
  },
  {
    id: 'gateway.report.metadata',
    source: 'page 1, Paying, What is recorded',
    behaviour: 'metadata of a report has traceId, toolName, code, stage and nonce.',
    status: 'tested',
  },
  {
    id: 'gateway.report.metadata.reason',
    source: 'issue 16, 13',
    behaviour:
      'metadata of a report has the reason that the code leaves open: what became of the mandate, which limit, or which ' +
      'of the owner’s rules.',
    status: 'tested',
  },
  {
    id: 'gateway.report.metadata.payment',
    source: 'issue 16, 13',
    behaviour:
      'metadata of a report names the approval that was asked for or used, so that all reports of one payment are one ' +
      'record; a refused one names the mandate that it is about.',
    status: 'tested',
  },
  {
    id: 'gateway.report.metadata.receipt-hash',
    source: 'page 1, Paying, What is recorded',
    behaviour:
      'metadata of a report has receiptHash and, where a hold was placed and turned into usage, holdId.',
    status: 'tested',
  },
  {
    id: 'gateway.report.outbox',
    source: 'page 1, Paying, No record lost',
    behaviour:
      'A report is on disk before it is sent, and is sent with back-off until the dashboard has it, across ' +
      'outages and restarts of both sides.',
    status: 'tested',
  },
  {
    id: 'gateway.report.outbox.refused',
    source: 'decision 0029',
    behaviour:
      'A report that the dashboard refuses for what it says is set aside and kept. That of a payment is not when the answer ' +
      'is 403: it is sent again after 30 seconds, then twice as long each time up to 15 minutes, and others need not wait for it.',
    status: 'tested',
  },
  {
    id: 'gateway.report.once',
    source: 'page 1, Paying, No record lost',
    behaviour:
      'A report that arrived but whose answer was lost stands in the log once: 409 counts as delivered.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
