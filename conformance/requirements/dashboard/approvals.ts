import type { Requirement } from '../requirement.ts';

/** The approvals inbox and the stream of events. */
export const dashboardApprovalRequirements = [
  {
    id: 'dashboard.approvals.fields',
    source: 'page 2, Approvals',
    behaviour:
      'An approval has approvalId, state, serviceId, toolName, argumentsHash, payer, payTo, asset, amount, ' +
      'currency, reason, typedData, signature, rejectReason, createdAt, expiresAt, decidedAt.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.states',
    source: 'page 2, Approvals',
    behaviour: 'state of an approval is pending, approved, rejected, expired or used.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.create',
    source: 'page 2, Approvals',
    behaviour: 'POST /api/approvals (API key) makes a pending approval and answers data {approval}.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.create.own-payer',
    source: 'page 2, Approvals',
    behaviour: 'POST /api/approvals whose payer is not the wallet of the key is 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.create.amount-signed',
    source: 'decision 0005',
    behaviour:
      'POST /api/approvals whose amount in USDC, in any case, is not that of typedData, or whose asset is USDC under another ' +
      'name, is 400, 80000012: the owner is shown what they sign.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.get',
    source: 'page 2, Approvals',
    behaviour:
      'POST /api/approvals/get (API key) {approvalId} answers data {approval}, with signature once it was ' +
      'approved.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.use',
    source: 'page 2, Approvals',
    behaviour: 'POST /api/approvals/use (API key) {approvalId} answers data {approval} in state used.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.use.twice',
    source: 'page 2, Approvals',
    behaviour: 'POST /api/approvals/use a second time is 409, 80000003; of two at once exactly one succeeds.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.list',
    source: 'page 2, Approvals',
    behaviour:
      'POST /api/approvals/list (session) {state?, page?, limit?} answers data {data: [approval], total, ' +
      'page, limit} of the own account.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.approve',
    source: 'page 2, Approvals',
    behaviour:
      'POST /api/approvals/:approvalId/approve (session) {signature} over typedData by the current wallet ' +
      'turns a pending approval approved.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.approve.wrong-signer',
    source: 'page 2, Which error, when',
    behaviour: 'approve with a signature of another wallet is 403, 80000004, and changes nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.approve.contract-wallet',
    source: 'page 2, Sessions and accounts',
    behaviour:
      'With an RPC URL set, the wallet of an account that is a contract approves too (ERC-1271, ERC-6492); what it did ' +
      'not sign is 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.reject',
    source: 'page 2, Approvals',
    behaviour:
      'POST /api/approvals/:approvalId/reject (session) {reason?} turns a pending approval rejected and ' +
      'keeps rejectReason.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.settled',
    source: 'page 2, Which error, when',
    behaviour: 'approve or reject of an approval already decided is 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.expired',
    source: 'page 2, Approvals; page 2, Which error, when',
    behaviour: 'An approval past expiresAt is in state expired; approving it is refused.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.console-inbox',
    source: 'page 1, Phase 2',
    behaviour:
      'The console shows pending approvals in its inbox, and the owner signs or rejects them there with a ' +
      'wallet.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.stream',
    source: 'page 2, Approvals',
    behaviour: 'GET /api/events (session) is a stream of server-sent events.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.kinds',
    source: 'page 2, Approvals',
    behaviour:
      'The stream sends approval, transaction and mandate with the record as data when one of the account ' +
      'is made or changes.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.own-only',
    source: 'page 2, Approvals',
    behaviour: 'The stream sends nothing about other accounts.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.every-process',
    source: 'decision 0005',
    behaviour: 'What happens on one dashboard process is told by the streams of every other.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.session-end',
    source: 'decision 0005',
    behaviour:
      'A stream ends when its session is logged out, revoked or expires, whichever process it is on.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.keep-alive',
    source: 'decision 0005',
    behaviour: 'A stream on which nothing happens carries a comment every 15 seconds.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.bounded',
    source: 'decision 0005',
    behaviour: 'A ninth stream of an account on one process is 429, 80000061 with Retry-After.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.slow-reader',
    source: 'decision 0005',
    behaviour:
      'A client that does not read holds nobody up: what waits for it is bounded, each thing once as it stands when ' +
      'it is read.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.gap',
    source: 'decision 0005',
    behaviour:
      'A process that may have missed an event ends its streams, so that clients come again and read anew.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.crash',
    source: 'decision 0005',
    behaviour:
      'What a process commits and cannot tell, because it is killed or its database is away, is not missed: within ' +
      'seconds the streams of the other processes end, and clients come again and read anew.',
    status: 'tested',
  },
  {
    id: 'dashboard.events.stop',
    source: 'decision 0005',
    behaviour: 'A process that is told to stop ends its streams at once.',
    status: 'tested',
  },
  {
    id: 'dashboard.site',
    source: 'page 1, Phase 2',
    behaviour:
      'GET /api/site (no proof) answers data {publicUrl, chain, chainIsLocal, usdc}: DASHBOARD_PUBLIC_URL, or the address that ' +
      'it listens on; the chain in mandates, whether SETTLEMENT_CHAIN_IS_LOCAL says that it is a test chain, and the contract ' +
      'of USDC on that chain, null where none is known.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.arguments',
    source: 'page 2, Approvals',
    behaviour:
      'GET /api/approvals/:approvalId/arguments (session) answers the own account data {state, arguments}: kept with ' +
      'the text that the gateway sent, hash-only, not-kept or over with null. At rest the text is sealed with ' +
      'EVIDENCE_KEY; without that key it is neither kept nor shown.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.arguments.bound',
    source: 'page 2, Approvals',
    behaviour:
      'arguments of POST /api/approvals may be left out; a text over 16 KiB, or whose keccak256 is not argumentsHash, ' +
      'is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.arguments.deleted',
    source: 'page 2, Approvals',
    behaviour:
      'A day after the decision, or after an approval has run out undecided, the arguments are shown no more and deleted.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.approvals.arguments',
    source: 'decision 0006',
    behaviour:
      'Who decides about an approval reads the arguments of the call, held against the hash in the browser; where only ' +
      'the hash is known the page says so.',
    status: 'tested',
  },
  {
    id: 'dashboard.approvals.agents',
    source: 'decision 0029',
    behaviour:
      'An approvalId is one payment’s among all wallets of an account: asked for again by its owner or another agent it is 409, 80000003.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
