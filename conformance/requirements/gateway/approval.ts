import type { Requirement } from '../requirement.ts';

/** The challenge, phase 2, dry runs and decision receipts. */
export const gatewayApprovalRequirements = [
  {
    id: 'gateway.challenge.approval',
    source: 'page 1, Phase 2',
    behaviour:
      'paymentContext.approval of a challenge has approvalId, status, reason, expiresAt, approvalUrl and typedData.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.typed-data',
    source: 'page 1, Phase 2',
    behaviour:
      'typedData has domain {name: Platform Payment Mandate, version: 1, chainId} and PaymentMandate: ' +
      'approvalId, serviceId, toolName, amount (token units), expiresAt string, argumentsHash bytes32, ' +
      'payer, payTo, asset address.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.typed-data.arguments-hash',
    source: 'page 1, Phase 2',
    behaviour: 'argumentsHash is keccak256 of the RFC 8785 text of arguments.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.typed-data.expires-at',
    source: 'page 1, Phase 2',
    behaviour: 'expiresAt of PaymentMandate is the same text as approval.expiresAt, 15 minutes ahead.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.posted-to-dashboard',
    source: 'page 1, Phase 2',
    behaviour: 'The gateway posts each challenge to POST /api/approvals, where the console shows it.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.ordinary-way',
    source: 'page 1, Phase 2',
    behaviour:
      'message of a challenge and the schema of paymentPayload name the ordinary way first: the owner opens ' +
      'approvalUrl, then the same call with {approvalId}.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.approval-url',
    source: 'page 1, Phase 2',
    behaviour:
      'approvalUrl is a page of the address that the dashboard gives as its public one; null of a dashboard that ' +
      'gives none.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.arguments',
    source: 'page 1, Phase 2',
    behaviour:
      'The gateway sends the RFC 8785 text of the arguments, up to 16 KiB, with the request for approval; with ' +
      'APPROVAL_ARGUMENTS=hash their hash alone.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.one-pending',
    source: 'page 1, Phase 2',
    behaviour:
      'One call (agent, service, tool, arguments, price) has one pending approval: repeated, also at once, it is given ' +
      'that one, with status pending or approved.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.rejected',
    source: 'page 1, Phase 2',
    behaviour:
      'A rejected approval gives APPROVAL_REJECTED, to the same call and to its id, with the owner’s reason in ' +
      'approval.rejectReason and never in message; once told, the same call asks anew.',
    status: 'tested',
  },
  {
    id: 'gateway.code.approval-rejected',
    source: 'page 1, Envelope codes',
    behaviour: 'The owner rejected the payment: stage payment_required, code APPROVAL_REJECTED.',
    status: 'tested',
  },
  {
    id: 'gateway.call.wait-seconds',
    source: 'page 1, Tools',
    behaviour:
      'With waitSeconds (0 to 50) a call that the owner has to approve waits for the decision: approved it pays, ' +
      'rejected it ends APPROVAL_REJECTED, else WALLET_APPROVAL_REQUIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.elicitation',
    source: 'page 1, Phase 2',
    behaviour: 'A client that supports URL-mode elicitation is offered approvalUrl that way too.',
    status: 'tested',
  },
  {
    id: 'gateway.challenge.elicitation.http',
    source: 'page 1, Phase 2',
    behaviour:
      'So is a client over HTTP of a revision with sessions: its session id says that it can open pages, so that any ' +
      'gateway process knows.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.payload',
    source: 'document 1, Endpoints; page 1, Phase 2',
    behaviour:
      'The same call with paymentPayload {approvalId, signature} by the owner over typedData is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.id-alone',
    source: 'page 1, Phase 2',
    behaviour:
      'After approval in the console, the same call with paymentPayload {approvalId} alone is paid: the ' +
      'gateway fetches the signature.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.signer.owner',
    source: 'page 1, Phase 2',
    behaviour:
      'The signer must be the address in the mandate credential; a signature of any other wallet gives ' +
      'PAYMENT_PAYLOAD_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.signer.approver',
    source: 'page 1, Phase 2',
    behaviour: 'A signature of an address in APPROVER_ADDRESSES is accepted too.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.signer.contract-wallet',
    source: 'page 1, Phase 2',
    behaviour: 'With EVM_RPC_URL, ERC-1271 and ERC-6492 signatures of a contract wallet are accepted.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.signer.one-form',
    source: 'page 1, Phase 2; decision 0005',
    behaviour:
      'The gateway takes the same forms of signature as the dashboard: what the one refuses the other does, and a mandate ' +
      'that the dashboard activates pays.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.bound.service-and-tool',
    source: 'page 1, Phase 2',
    behaviour:
      'An approval used for another service or tool gives PAYMENT_PAYLOAD_INVALID and nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.bound.arguments',
    source: 'page 1, Phase 2',
    behaviour: 'An approval used with other arguments gives PAYMENT_PAYLOAD_INVALID and nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.bound.payment',
    source: 'page 1, Phase 2',
    behaviour: 'An approval never pays another payee, asset or amount than the one signed.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.once',
    source: 'page 1, Phase 2',
    behaviour: 'An approval pays once; also of two calls with it at the same time exactly one pays.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.checks-again',
    source: 'page 1, Phase 2',
    behaviour:
      'After approval every check runs again: a payee rejected meanwhile is refused though the owner ' +
      'approved.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.limits-waived',
    source: 'page 1, Phase 2',
    behaviour: 'After approval per-transaction limit and remaining budget alone are not checked.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.no-hold',
    source: 'page 1, Phase 2',
    behaviour:
      'An approved payment takes no hold on the budget of the mandate: the owner decided. It has its place in the period’s budget.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.counts-as-usage',
    source: 'page 1, Phase 2',
    behaviour: 'An approved payment counts as usage of the mandate.',
    status: 'tested',
  },
  {
    id: 'gateway.approval.price-changed',
    source: 'page 1, Phase 2',
    behaviour: 'A price that changed since the challenge gives a new challenge, and nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.dry-run.outcome',
    source: 'page 1, Dry run and receipts',
    behaviour: 'With dryRun true ok and code are those the real call would have.',
    status: 'tested',
  },
  {
    id: 'gateway.dry-run.message',
    source: 'page 1, Dry run and receipts',
    behaviour: 'message of a dry run begins with "dry run:".',
    status: 'tested',
  },
  {
    id: 'gateway.dry-run.moves-nothing',
    source: 'page 1, Dry run and receipts',
    behaviour: 'A dry run signs, holds, pays and reports nothing; paymentMade is false.',
    status: 'tested',
  },
  {
    id: 'gateway.dry-run.known-paid-only',
    source: 'page 1, Dry run and receipts',
    behaviour:
      'A dry run asks a service for its price only where the tool was seen asking for money before or is ' +
      'annotated as paid.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.every-priced-call',
    source: 'page 1, Dry run and receipts',
    behaviour:
      'Every outcome of a priced call (pass, refusal, challenge, error, unknown) leaves one receipt, named ' +
      'by paymentContext.receiptId.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.content',
    source: 'page 1, Dry run and receipts',
    behaviour: 'A receipt is RFC 8785 JSON with hashes of every input, the rule trace, the verdict and prev.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.chained',
    source: 'page 1, Dry run and receipts',
    behaviour:
      'prev of a receipt links it to the one before; a removed or reordered receipt is noticed by receipt ' +
      'verify.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.signed',
    source: 'page 1, Dry run and receipts',
    behaviour:
      'Receipts are signed with an Ed25519 key of the gateway, apart from the wallet; countersign gateway ' +
      'receipt-key prints the public half.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.export',
    source: 'page 1, Dry run and receipts',
    behaviour: 'countersign receipt export writes the receipts as JSON lines; --since leaves out older ones.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.verify',
    source: 'page 1, Dry run and receipts',
    behaviour:
      'countersign receipt verify FILE recomputes each verdict offline and exits with 0 when all hold.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.verify.owner',
    source: 'decision 0029',
    behaviour:
      'receipt verify says of each payer whose agent it is, and of how many receipts; with --owner ADDRESS a receipt of any ' +
      'other owner is bad.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.verify.word',
    source: 'decision 0029',
    behaviour:
      'receipt verify says how many receipts rest on the word of a contract (ERC-1271), which only its chain can confirm.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.verify.bad',
    source: 'page 1, Dry run and receipts',
    behaviour: 'receipt verify exits with 1 when any receipt was changed or its verdict does not follow.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.verify.incomplete',
    source: 'page 1, Dry run and receipts',
    behaviour: 'receipt verify exits with 2 when something needed to decide is missing.',
    status: 'tested',
  },
  {
    id: 'gateway.receipt.vectors',
    source: 'issue 17, 3',
    behaviour:
      'docs/spec/decision-receipt.md and its vector are what a gateway writes; a reader made from the page alone finds the ' +
      'vector good, and every change of it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
