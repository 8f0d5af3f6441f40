/** One way to take money, or what is worth money, from whoever pays for tools. */
export type Attack = {
  readonly number: number;
  readonly name: string;
} & (
  | {
      /**
       * Below `conformance/gateway`: where to read first. A test that meets the attack has `[attack N]` in its name; one
       * that shows it to work on a client without a gateway has `[attack N control]`.
       */
      readonly tests: string;
    }
  | { readonly absent: string }
);

const approvals = 'attacks/approval-laundering.e2e.test.ts';
const backtalk = 'attacks/backtalk.e2e.test.ts';
const cart = 'attacks/cart.e2e.test.ts';
const dashboard = 'attacks/dashboard-lies.e2e.test.ts';
const environment = 'attacks/stolen-environment.e2e.test.ts';
const encodings = 'attacks/encodings.e2e.test.ts';
const poisoning = 'attacks/tool-poisoning.e2e.test.ts';
const price = 'attacks/price.e2e.test.ts';
const replay = 'attacks/replay.e2e.test.ts';
const sessions = 'attacks/sessions.e2e.test.ts';
const settlement = 'attacks/settlement-lies.e2e.test.ts';
const transport = 'attacks/transport.e2e.test.ts';

/** What was seen or published of such attacks (1 to 32), and what we tried beside (33 on). */
export const attacks: readonly Attack[] = [
  { number: 1, name: 'Tool poisoning: orders in descriptions, schemas, results', tests: poisoning },
  { number: 2, name: 'Rug pull: a tool that changes, or is renamed', tests: 'tool-pinning.e2e.test.ts' },
  { number: 3, name: 'Payee or price swapped between question and payment', tests: price },
  { number: 4, name: 'Another entry paid than the one that was checked', tests: price },
  { number: 5, name: 'Amount inflated, units confused', tests: price },
  { number: 6, name: 'Cart left out, to skip the mandate check', tests: cart },
  { number: 7, name: 'Old or foreign cart used again', tests: cart },
  { number: 8, name: 'One payment replayed', tests: replay },
  { number: 9, name: 'Paid twice after a time-out', tests: replay },
  { number: 10, name: 'Overspending by concurrency', tests: replay },
  {
    number: 11,
    name: 'Overspending by float, rounding, time window',
    absent:
      'money is never a float here, and budgets have no windows; amount.property.test.ts holds the rest',
  },
  { number: 12, name: 'Price of another tool or resource', tests: price },
  { number: 13, name: 'Signature twins and encodings', tests: encodings },
  { number: 14, name: 'JSON that reads in two ways', tests: encodings },
  { number: 15, name: 'EIP-712 domain, types and controller confused', tests: dashboard },
  { number: 16, name: 'Look-alike addresses, services and tools', tests: cart },
  { number: 17, name: 'Prompt injection that triggers a payment', tests: poisoning },
  { number: 18, name: 'Approval laundering: one thing approved, another paid', tests: approvals },
  { number: 19, name: 'Addresses followed: SSRF, redirects, endpoints', tests: transport },
  { number: 20, name: 'DNS rebinding of our endpoint', tests: 'http.e2e.test.ts' },
  { number: 21, name: 'Session hijack; another agent’s keys and approvals', tests: sessions },
  { number: 22, name: 'Confused deputy, tokens passed through', tests: transport },
  { number: 23, name: 'Header and body that disagree', tests: transport },
  { number: 24, name: 'Hidden tool called by its name', tests: poisoning },
  { number: 25, name: 'Settlement forged or denied', tests: settlement },
  { number: 26, name: 'Screening answered for another address', tests: dashboard },
  { number: 27, name: 'Screening vague, stale or broken', tests: dashboard },
  { number: 28, name: 'Discovery steered to a paid listing', tests: poisoning },
  { number: 29, name: 'Exhaustion: giant, deep, slow, endless answers', tests: backtalk },
  { number: 30, name: 'Paid for nothing', tests: settlement },
  { number: 31, name: 'Several calls in one batch', tests: transport },
  { number: 32, name: 'Sent on after a refusal, unpaid or by other means', tests: transport },
  { number: 33, name: 'A service that asks back: for secrets, words, files', tests: backtalk },
  { number: 34, name: 'One call answered in the place of another', tests: backtalk },
  { number: 35, name: 'A signature that can be cashed a year later', tests: price },
  { number: 36, name: 'Another token that calls itself USDC', tests: price },
  { number: 37, name: 'A dashboard that forgets what was spent', tests: dashboard },
  { number: 38, name: 'The whole environment of the gateway stolen', tests: environment },
];
