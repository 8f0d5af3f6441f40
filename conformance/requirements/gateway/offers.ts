import type { Requirement } from '../requirement.ts';

/** Signed offers and receipts of services, rights that were paid for, and the official packages as counterparts. */
export const gatewayOfferRequirements = [
  {
    id: 'gateway.offer.counts',
    source: 'issue 19, 2; decision 0033',
    behaviour:
      'A signed x402 offer for the price that is asked counts as a cart: it is held against the mandate, and its assuranceResult has no CART_MANDATE_MISSING.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.forms',
    source: 'issue 19, 2; decision 0033',
    behaviour:
      'An offer counts as EIP-712 or JWS (ES256K, EdDSA), in x402 v1 and v2, signed by the payee’s key, by its contract, or by a key in OFFER_SIGNERS of the service; with an end to come, or none. Of several for the price one that holds is enough.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.refused',
    source: 'issue 19, 2; decision 0033',
    behaviour:
      'A malformed offer is CART_MANDATE_INVALID; one for another resource, scheme, network, token, payee or amount, or past its end, is CART_MANDATE_MISMATCH; one that nobody signed who may is MERCHANT_SIGNATURE_INVALID. Nothing is paid, and the message says why.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.elsewhere',
    source: 'decision 0033',
    behaviour:
      'An offer counts only for what was called: over HTTP the host (or one of OFFER_ORIGINS) and path of the request, over MCP mcp://tool/NAME. A price with an offer for anything else is PAYMENT_REQUIREMENT_INVALID, and nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.judged',
    source: 'issue 19, 2; decision 0033',
    behaviour:
      'paymentContext.judged is cart, offer or requirement: what the price was judged by, in this order; offer has the signed offer as it was received.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.policy',
    source: 'decision 0033',
    behaviour:
      'Under every CART_POLICY an offer is held against the mandate as a cart is. A wallet that never had a mandate pays it as a bare price under budget and skip, and gets MANDATE_NOT_FOUND under challenge and require.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.receipt',
    source: 'issue 19, 2; decision 0033',
    behaviour:
      'The receipt that a service signs of a settled payment is verified: paymentContext.merchantReceipt, the trace of ours and the record say verified, wrong or missing. It never leads to a second payment, and ends no call otherwise.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.replayed',
    source: 'issue 19, 2; decision 0033',
    behaviour: 'receipt verify judges offer and receipt of the service again, from the record alone.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.receipts-before',
    source: 'decision 0033',
    behaviour: 'A receipt whose configuration has no offerSigners is verified without its offers.',
    status: 'tested',
  },
  {
    id: 'gateway.offer.official',
    source: 'issue 19, 2',
    behaviour:
      'Offers and receipts of the official extension hold, as typed data and as JWS, over HTTP and over MCP; with a key that nobody admitted nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.config.offer-signers',
    source: 'decision 0033',
    behaviour:
      'OFFER_SIGNERS is a list of service=key pairs for services with a fixed id; a key is an address or a did:key of Ed25519. Anything else: exit code 2.',
    status: 'tested',
  },
  {
    id: 'gateway.config.offer-origins',
    source: 'decision 0033',
    behaviour:
      'OFFER_ORIGINS is a list of service=origin pairs for services in HTTP_SERVICES. Anything else: exit code 2.',
    status: 'tested',
  },
  {
    id: 'gateway.official-matrix.servers',
    source: 'issue 19, 5',
    behaviour:
      'The gateway pays @x402/hono and @x402/express over HTTP and @x402/core over MCP (v2), and v1 over both, on a chain, through the official facilitator, within one mandate and with records.',
    status: 'tested',
  },
  {
    id: 'gateway.official-matrix.clients',
    source: 'issue 19, 5',
    behaviour: 'The official client pays our services over MCP, v1 and v2.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.used',
    source: 'issue 19, 5; decision 0033',
    behaviour:
      'With sign-in-with-x in PAYMENT_SCHEMES a right at an HTTP service that was paid for is used by signing in, also after a restart, and not bought again; the answer has paymentContext.signedIn. A dry run signs nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.refused',
    source: 'decision 0033',
    behaviour:
      'A challenge is signed only if its domain, address and resources are of the origin that was asked, each address is canonical, http or https and without credentials, it is of now, and it is for a chain that is paid on. Otherwise the price is judged as ever.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.text',
    source: 'decision 0033',
    behaviour:
      'No statement is ever signed, and each signed message ends: a challenge that names no end is given one, five minutes from now.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.dashboard',
    source: 'decision 0033',
    behaviour:
      'Nothing is signed for the host at which people log in to the dashboard, as the dashboard itself says it, wherever the gateway reaches it; while it does not say, nothing is signed.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.mandate',
    source: 'decision 0033',
    behaviour: 'A wallet signs in under a good mandate, or if it never had one; not where one is over.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.doubt',
    source: 'decision 0033',
    behaviour:
      'A call that has sent a payment before ends with that payment, sent again if it is in doubt; it does not sign in.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.logged',
    source: 'decision 0033',
    behaviour:
      'Each sign-in is logged with host, nonce and the hash that was signed, never with the signature.',
    status: 'tested',
  },
  {
    id: 'gateway.sign-in.no-right',
    source: 'decision 0033',
    behaviour:
      'A service that answers a sign-in with 401, 402, 403 or a redirect is paid as ever; any other failure after a sign-in ends the call, and nothing is paid for it.',
    status: 'tested',
  },
  {
    id: 'gateway.config.payment-schemes',
    source: 'issue 19, 5; decisions 0033, 0049',
    behaviour:
      'PAYMENT_SCHEMES is exact, and after it any of permit2, upto, mpp and sign-in-with-x; exact if unset; anything else, and permit2 or upto without EVM_RPC_URL: exit code 2.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
