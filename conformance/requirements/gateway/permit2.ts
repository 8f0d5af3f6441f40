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
      'An allowance of at least the amount is left as it is. Where less stands and the service sponsors approvals (eip2612GasSponsoring), one of exactly the amount is signed with the payment, and takes its place. Elsewhere an allowance has to stand: without one, or without an answer of the chain, the call is PAYMENT_UNSUPPORTED, which says what to do, and nothing is signed or held.',
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
    id: 'gateway.permit2.hidden',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'What was taken by Permit2 in a transaction that nobody can show is reported as the whole, 30 seconds after its validity and so before the hold ends: once a block after its validity shows its nonce used.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.crowded',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'The transfer of a payment by Permit2 is found however many transfers of nothing, or of more than was signed, a stranger writes between its two parties; where a node gives no answer for so many, it is asked for fewer blocks at a time.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.older',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'A gateway of a release that does not know Permit2, on the same state, gives back no payment by Permit2 whose outcome is open.',
    status: 'tested',
  },
  {
    id: 'gateway.permit2.approved',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'What the owner approved is paid by the method that was asked about alone and, of upto, at the word of the facilitator that was: the approvalId that they sign ends with _permit2, or with _upto_ and the facilitator.',
    status: 'tested',
  },
  {
    id: 'gateway.state.freed-once',
    source: 'issue 19, 5; decision 0049',
    behaviour:
      'A payment gives its budget back only while nobody knows its outcome, and only the very one that was looked at: not what was reported, nor what was opened anew under its nonce. Looks that overlap report it once.',
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
