import type { Requirement } from '../requirement.ts';

/** `exact` by Permit2, and `upto`: money that moves through Uniswap's Permit2 and the proxies of x402. */
export const gatewayPermit2Requirements = [
  {
    id: 'gateway.permit2.official',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'The gateway pays the official server by Permit2 through the official facilitator, on a chain with the real Permit2, within one mandate, with a record and a receipt that is verified; the official client pays our service so.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.opt-in',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'Without permit2 in PAYMENT_SCHEMES a price by Permit2, and without upto one of upto, is PAYMENT_UNSUPPORTED: nothing is signed.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.signs',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'In the domain of Permit2 only PermitWitnessTransferFrom is signed: the proxy of x402 as spender, token, amount and payee of the price that was judged, the nonce of the decision, a last second before that of EIP-3009. What the service writes in extensions changes nothing of it.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.allowance',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'Where the service sponsors approvals (eip2612GasSponsoring) one of exactly the amount is signed with the payment, and takes the place of a wider one. Elsewhere an allowance has to stand: without one, or without an answer of the chain, the call is PAYMENT_UNSUPPORTED, which says what to do, and nothing is signed or held.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.attacks',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'What was signed is good for no other spender, payee, amount, token, owner, nonce, time or chain, and once, at the real Permit2, also where an allowance stands; an approval that somebody else brings first changes nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.chain',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'A payment by Permit2 has settled where its nonce is used and a transaction that carries it moved its amount to its payee. Its budget is free again once its time is over and a block after that shows the nonce unused.',
    status: 'tested',
  },
  {
    id: 'gateway.upto.taken',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'Of upto the maximum is held, and what the chain shows as taken is spent and recorded; the rest is free again, in the mandate and in the journal. What the service says of the amount counts nothing.',
    status: 'tested',
  },
  {
    id: 'gateway.upto.unused',
    source: 'decision 0049',
    behaviour:
      'Where a service says that nothing was taken the outcome is unknown: the maximum can be taken until the time is over.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.doctor',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'countersign doctor tells of an allowance that the wallet of the gateway has given to Permit2.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
