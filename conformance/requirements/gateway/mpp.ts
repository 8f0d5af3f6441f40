import type { Requirement } from '../requirement.ts';

/** 402 challenges of MPP: the HTTP authentication scheme `Payment` with a charge by the method `evm`. */
export const gatewayMppRequirements = [
  {
    id: 'gateway.mpp.official',
    source: 'issue 19, 5',
    behaviour:
      'The gateway pays the official merchant of MPP (mppx) through the official facilitator, on a chain, within one mandate and with a record: by its challenge where it says that alone, by x402 where it says both.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.opt-in',
    source: 'issue 19, 5; decision 0045',
    behaviour:
      'Without mpp in PAYMENT_SCHEMES no challenge is looked at: a 402 with nothing else is PAYMENT_REQUIREMENT_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.pays',
    source: 'decision 0045; draft-httpauth-payment; draft-evm-charge',
    behaviour:
      'A challenge is answered with its own parameters and an EIP-3009 authorization whose nonce is keccak256 of id and realm, which is valid to its end at most. Challenges of other methods, intents and schemes beside it are not looked at.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.header',
    source: 'decision 0045',
    behaviour:
      'The payment goes in Authorization, or in Payment-Authorization where the challenge says so, and in no other header; nothing is paid where a credential of the vault stands in that header.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.judged',
    source: 'issue 19, 5; decision 0045',
    behaviour:
      'A challenge is judged by the rules of a price of x402: screening of both parties, mandate, hold, approval, journal, receipt. The payment is for the payee that was judged, whoever is named later.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.refused',
    source: 'issue 19, 5; decision 0045',
    behaviour:
      'A challenge that makes no sense, is of another host or request, or has a request that is not RFC 8785 is PAYMENT_REQUIREMENT_INVALID; several charges, other methods, intents, tokens, chains or decimals, splits, no EIP-3009, or less than ten seconds left are PAYMENT_UNSUPPORTED. Nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.realm',
    source: 'decision 0045',
    behaviour:
      'The realm is the host that was called, with its port or without, or one of OFFER_ORIGINS for the service. Any other is PAYMENT_REQUIREMENT_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.beside-x402',
    source: 'decision 0045',
    behaviour:
      'Beside a price of x402 that price is paid; a charge beside it for another payee, amount, token or chain is PAYMENT_REQUIREMENT_INVALID, and so is a header that makes no sense.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.receipt',
    source: 'decision 0045',
    behaviour:
      'Payment-Receipt is the word of a settlement, held against the chain as that of x402 is. Without one nobody knows, unless the service names a problem that it finds before it sends a payment. Nothing is sent twice.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.once',
    source: 'decision 0045',
    behaviour:
      'The same call under the same key sends the same payment again, though the service shows another challenge; the money moves once.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.once-a-challenge',
    source: 'decision 0045',
    behaviour:
      'A challenge that another call has paid is PAYMENT_UNSUPPORTED: nothing is sent, and its hold is given back.',
    status: 'tested',
  },
  {
    id: 'gateway.mpp.replayed',
    source: 'decision 0045',
    behaviour: 'receipt verify judges a challenge again, from the record alone.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
