import type { Requirement } from '../requirement.ts';

/** Compliance, assurance and what a cart mandate must say. */
export const gatewayCheckRequirements = [
  {
    id: 'gateway.compliance.bidirectional',
    source: 'document 1, What the service does 3',
    behaviour: 'Before a payment KYC and KYT are looked up for the payer and for the payee: four look-ups.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.kyc-call',
    source: 'document 1, Endpoints',
    behaviour: 'KYC is looked up with POST /api/kyc/check {apiKey, walletAddress}.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.kyt-call',
    source: 'document 1, Endpoints',
    behaviour: 'KYT is looked up with POST /api/compliance/kyt/check {apiKey, walletAddress, chain}.',
    status: 'tested',
  },
  {
    id: 'gateway.dashboard-call.api-key-in-body',
    source: 'document 1, Authentication 1',
    behaviour: 'Every dashboard call carries COMPLIANCE_API_KEY as apiKey of the JSON body.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.parallel',
    source: 'document 1, States and transitions',
    behaviour:
      'KYC and KYT start at the same time: with both slow the check takes as long as the slower one, not ' +
      'the sum.',
    status: 'tested',
  },
  {
    id: 'gateway.bad-input.payees',
    source: 'issue 19, bad input',
    behaviour:
      'A payee whose record names another address, has expired, or whose domain has moved is PAYEE_KYC_NOT_APPROVED and not paid; of two records that claim one address the second is 409, ADDRESS_CLAIMED, and vouches for nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.bad-input.demands',
    source: 'issue 19, bad input',
    behaviour:
      'Over HTTP, through the gateway: a 402 without a body is PAYMENT_REQUIREMENT_INVALID; ten schemes of which the first is none of ours, or a price in another token’s decimals, PAYMENT_UNSUPPORTED; what a service says of decimals counts nothing. Nothing is signed.',
    status: 'tested',
  },
  {
    id: 'gateway.holds.other-networks',
    source: 'issue 19, 1',
    behaviour:
      'A hold that is refused because the payee’s record is for other networks is PAYMENT_UNSUPPORTED, in words of our own; nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.unknown-payee',
    source: 'issue 19, 1',
    behaviour:
      'A payee that nobody knows is PAYEE_KYC_NOT_APPROVED and not paid; the report of it names the host of the service. Once an ' +
      'operator has admitted the payee the next call pays, and once the record is withdrawn none does.',
    status: 'tested',
  },
  {
    id: 'gateway.checks.fresh-answers',
    source: 'document 1, Errors 1',
    behaviour:
      'Calls at the same time may share a look-up, but every answer that a decision rests on was asked for after its ' +
      'call began; nothing is answered from a memory.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.beside-assurance',
    source: 'document 1, What the service does 3; document 1, States and transitions',
    behaviour:
      'Compliance and assurance run at the same time: with both slow the call takes as long as the slower ' +
      'one, not the sum.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.fail-close',
    source: 'document 1, What the service does 8; document 1, Errors 1; document 1, Authentication 1',
    behaviour:
      'Without COMPLIANCE_BASE_URL or without COMPLIANCE_API_KEY every paid call is refused and nothing is ' +
      'signed.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.withdrawn',
    source: 'issue 15, 23',
    behaviour:
      'Once an operator withdraws the KYC approval of a payer or payee, no call pays: the gateway keeps ' +
      'no answer, and none is older than the call.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.both-failures-shown',
    source: 'page 1, Envelope codes',
    behaviour:
      'When compliance and assurance both fail, code and stage name the compliance failure and detail ' +
      'carries both results.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.payer-before-payee',
    source: 'page 1, Envelope codes',
    behaviour: 'When payer and payee both fail, code names the failure of the payer.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.kyt-before-kyc',
    source: 'page 1, Envelope codes',
    behaviour: 'When KYT and KYC of one party both fail, code names the KYT failure.',
    status: 'tested',
  },
  {
    id: 'gateway.demand.judged-first',
    source: 'page 1, Envelope codes',
    behaviour:
      'The payment requirement is judged before any look-up: one that is not payable reaches the dashboard ' +
      'with no query.',
    status: 'tested',
  },
  {
    id: 'gateway.demand.first-entry-only',
    source: 'page 1, Paying',
    behaviour: 'Exactly accepts[0] is checked and paid, whatever other entries say.',
    status: 'tested',
  },
  {
    id: 'gateway.demand.price-of-version',
    source: 'x402 specification, v1 and v2',
    behaviour:
      'The price is maxAmountRequired in v1 and amount in v2; what stands under the other name is neither judged, listed nor paid.',
    status: 'tested',
  },
  {
    id: 'gateway.demand.frozen',
    source: 'page 1, Paying',
    behaviour:
      'What was checked is what is signed: a price or payee that changes between the two calls is never ' +
      'paid.',
    status: 'tested',
  },
  {
    id: 'gateway.cart.primary-location',
    source: 'document 1, CartMandate 1',
    behaviour: 'The cart mandate is read from accepts[0].extra.cartMandate.',
    status: 'tested',
  },
  {
    id: 'gateway.cart.fallback-location',
    source: 'document 1, CartMandate 2',
    behaviour: 'Without extra.cartMandate the cart mandate is read from the top level of accepts[0].extra.',
    status: 'tested',
  },
  {
    id: 'gateway.cart.primary-wins',
    source: 'document 1, CartMandate 1',
    behaviour: 'With carts at both locations the one in extra.cartMandate counts.',
    status: 'tested',
  },
  {
    id: 'gateway.cart.required-fields',
    source: 'document 1, CartMandate',
    behaviour:
      'A cart mandate needs merchant_id, merchant_address and merchant_signature, and for the signed ' +
      'message total_amount, currency and pay_to.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.order',
    source: 'document 1, States and transitions',
    behaviour:
      'Assurance verifies merchant signature, payer credential, budget rule, in this order; with several ' +
      'wrong the code is that of the first.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.short-circuit',
    source: 'document 1, States and transitions',
    behaviour:
      'After a failed step later ones do not run: a bad merchant signature causes no POST ' +
      '/api/mandates/intent/vc.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.merchant.public-key-call',
    source: 'document 1, Step 1.1',
    behaviour:
      'The merchant key is looked up with POST /api/accounts/public-key {apiKey, walletAddress} for ' +
      'merchant_address.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.merchant.address-from-key',
    source: 'document 1, Step 1.2',
    behaviour:
      'The signer must be the address derived from the registered public key, not the address the cart ' +
      'claims.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.merchant.message',
    source: 'document 1, Step 1.3',
    behaviour:
      'The signed text is JSON with exactly the keys merchant_id, merchant_address, total_amount, ' +
      'currency, pay_to in this order, without merchant_signature.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.merchant.eip191',
    source: 'document 1, Step 1.4',
    behaviour: 'merchant_signature is an EIP-191 signature of that text.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.credential.call',
    source: 'document 1, Step 2.1',
    behaviour:
      'The credential is looked up with POST /api/mandates/intent/vc {apiKey, payerWalletAddress} for the ' +
      'gateway wallet.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.credential.did-address',
    source: 'document 1, Step 2.2',
    behaviour:
      'The signer must be the address of proof.verificationMethod, which has the form ' +
      'did:ethr:eip155:<chainId>:<address>#controller.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.credential.message',
    source: 'document 1, Step 2.3; page 1, Paying, Signed limits win',
    behaviour:
      'The EIP-712 message is rebuilt from credentialSubject, with expiresAt from mandate.expiresAt.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.credential.domain',
    source: 'document 1, Step 2.4',
    behaviour:
      'The typed data verify under domain name Platform Intent Mandate and version 1; a signature under ' +
      'another domain is refused as VC_PROOF_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.credential.is-the-payers',
    source: 'page 1, Paying, Signed limits win',
    behaviour:
      'A credential of another payer or of another mandate id than the one returned is refused as ' +
      'MANDATE_TAMPERED.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.credential.expires-at-signed',
    source: 'page 1, Paying, Signed limits win',
    behaviour:
      'A mandate.expiresAt other than the signed one is refused as VC_PROOF_INVALID, for the signature ' +
      'covers it.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.signed-limits-win',
    source: 'page 1, Paying, Signed limits win',
    behaviour: 'The limits used are the smaller of what the dashboard says and what the owner signed.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.raised-limit',
    source: 'page 1, Paying, Signed limits win',
    behaviour: 'A dashboard that answers a limit above the signed one gives MANDATE_TAMPERED.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.budget.local',
    source: 'document 1, Step 3',
    behaviour:
      'The budget rule compares total_amount with perTxLimit and remainingBudget and makes no network call.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.budget.equal-passes',
    source: 'document 1, Step 3',
    behaviour: 'An amount equal to the per-transaction limit or to the remaining budget passes.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.budget.exact',
    source: 'document 1, Limits 2; page 1, Paying, Amounts are exact',
    behaviour:
      'Every amount that a floating-point comparison refuses is refused, and so are amounts above a limit ' +
      'by less than two doubles can tell apart.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.budget.plain-decimals-only',
    source: 'page 1, Paying, Amounts are exact',
    behaviour:
      'A total_amount such as NaN, 1e3, +1, 0x1, 1,000 or with spaces is refused as CART_MANDATE_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance.budget.escalates',
    source: 'document 1, States and transitions; document 1, Step 3',
    behaviour:
      'An amount above a limit is not rejected: the gateway answers a challenge with code ' +
      'WALLET_APPROVAL_REQUIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.cart-policy.budget',
    source: 'decision 0018; document 1, CartMandate 3',
    behaviour:
      'Without a cart mandate the check of its signature is skipped and told, and the amount is held against the ' +
      'payer’s mandate: limits, budget and hold, also of calls at once; a payment counts as usage.',
    status: 'tested',
  },
  {
    id: 'gateway.cart-policy.rules',
    source: 'decision 0018',
    behaviour:
      'Merchant list, service list, threshold, period and pause beside the mandate bind a payment without a cart as ' +
      'one with a cart.',
    status: 'tested',
  },
  {
    id: 'gateway.cart-policy.ended',
    source: 'decision 0018',
    behaviour:
      'Where all mandates that the payer ever signed are revoked, deleted, used up or void, a payment without a cart ' +
      'is refused with MANDATE_NOT_FOUND, expired ones with MANDATE_EXPIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.cart-policy.never',
    source: 'decision 0018; document 1, CartMandate 3',
    behaviour:
      'A wallet that never signed a mandate pays without a cart under the caps of a payment and of a day.',
    status: 'tested',
  },
  {
    id: 'gateway.cart-policy.no-guess',
    source: 'decision 0018',
    behaviour:
      'Only a dashboard that says hadMandate false makes a wallet one that never had a mandate; otherwise the payment ' +
      'is refused.',
    status: 'tested',
  },
  {
    id: 'gateway.cart-policy.require',
    source: 'decision 0018',
    behaviour: 'With CART_POLICY=require a price without a cart mandate gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.pays',
    source: 'decision 0029',
    behaviour:
      'With OWNER_ADDRESS the wallet of EVM_PRIVATE_KEY is an agent wallet: it pays under the mandate that its owner signed for it.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.statement',
    source: 'decision 0029',
    behaviour:
      'An agent wallet pays only with an AgentWallet statement that OWNER_ADDRESS signed, about this wallet, for the network ' +
      'of the payment, not expired: VC_PROOF_INVALID, MANDATE_TAMPERED, MANDATE_NOT_FOUND or MANDATE_EXPIRED otherwise.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.verified',
    source: 'decision 0029',
    behaviour:
      'A mandate of an agent wallet counts only if OWNER_ADDRESS signed it for this wallet, whatever the dashboard says; ' +
      'one that the agent wallet signed is VC_PROOF_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.approval',
    source: 'decision 0029',
    behaviour:
      'Payments of an agent wallet are approved by its owner; a signature of the agent wallet approves nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.revoked',
    source: 'decision 0029',
    behaviour:
      'A revoked agent pays nothing more, with or without OWNER_ADDRESS; other agents of the owner go on.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.strict',
    source: 'decision 0029',
    behaviour:
      'Without a mandate an agent wallet pays nothing, whatever CART_POLICY says: no payment of it is without one.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.screening',
    source: 'decision 0029',
    behaviour:
      'Of an agent wallet the payer’s KYC is the owner’s, and the payer’s KYT the worse one of owner and agent wallet.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.announce',
    source: 'decision 0029',
    behaviour:
      'With OWNER_ADDRESS a gateway announces its wallet to the dashboard, until the dashboard has heard it.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.receipt',
    source: 'decision 0029',
    behaviour:
      'A receipt of an agent payment has the statement and the mandate with their signatures; receipt verify judges both again offline.',
    status: 'tested',
  },
  {
    id: 'gateway.sweep',
    source: 'issue 18, 1',
    behaviour:
      'wallet sweep, also gateway sweep, prints an EIP-3009 authorization by the agent’s key of all USDC that its wallet holds, to OWNER_ADDRESS alone ' +
      'and for an hour. It sends nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.key-owner',
    source: 'decision 0029',
    behaviour:
      'A node of another chain is not believed about a contract, an address that delegates (EIP-7702) is a key’s, and no node ' +
      'speaks for an owner whose key has signed at this gateway, or for the gateway’s own wallet.',
    status: 'tested',
  },
  {
    id: 'gateway.agent-wallet.contract-owner',
    source: 'decision 0029',
    behaviour:
      'An owner that is a contract (ERC-1271) is asked over EVM_RPC_URL; what it said stands in the receipt.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
