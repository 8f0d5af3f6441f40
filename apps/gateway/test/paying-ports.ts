import { keccak256 } from '@countersign/service/ethereum/keccak';
import { systemTimers } from '@countersign/service/timers';
import { silentTracer } from '@countersign/service/trace';
import type { CallOutcome } from '../src/rules/call-outcome.ts';
import type { GatewayPorts } from '../src/ports/gateway-ports.ts';
import type { InboxWord } from '../src/ports/dashboard.ts';
import { address, merchant, owner, policy, now, required, signedCart, signedMandate } from './samples.ts';

const transaction = `0x${'ab'.repeat(32)}`;

export const settled: CallOutcome = {
  kind: 'result',
  isError: false,
  content: [{ type: 'text', text: 'sold' }],
  settlement: { success: true, transaction, network: 'eip155:84532', payer: owner.address },
};

export const asksFor = (requirement: unknown): CallOutcome => ({
  kind: 'payment-required',
  requirement,
  content: [],
  settlement: undefined,
});

/** What the outside world answers to one call; all of it may be changed. */
export type Answers = {
  readonly asked: CallOutcome;
  readonly paid: CallOutcome;
  readonly payerKyc: Awaited<ReturnType<GatewayPorts['compliance']['kyc']>>;
  readonly payeeKyt: Awaited<ReturnType<GatewayPorts['compliance']['kyt']>>;
  readonly publicKey: Awaited<ReturnType<GatewayPorts['mandates']['publicKey']>>;
  readonly mandate: Awaited<ReturnType<GatewayPorts['mandates']['activeMandate']>>;
  readonly hold: Awaited<ReturnType<GatewayPorts['holds']['place']>>;
  /** The owner's, where they are asked. */
  readonly word: InboxWord;
  readonly journal: 'opened' | 'known' | 'over-budget' | 'approval-used';
  readonly onChain: Awaited<ReturnType<NonNullable<GatewayPorts['chain']>['authorizationUsed']>>;
  readonly standing: Awaited<ReturnType<NonNullable<GatewayPorts['chain']>['permit2Standing']>>;
  readonly found: Awaited<ReturnType<NonNullable<GatewayPorts['chain']>['findSettlement']>>;
};

const kyc = (wallet: { address: string }) =>
  ({
    kind: 'answer',
    answer: { walletAddress: address(wallet), kycCompleted: true, kycStatus: 'approved' },
  }) as const;
const kyt = (wallet: { address: string }) =>
  ({
    kind: 'answer',
    answer: {
      address: address(wallet),
      chain: 'base-sepolia',
      decision: 'pass',
      riskLevel: 'low',
      riskScore: 0,
    },
  }) as const;

/** A world in which the call is paid for. */
export const goodAnswers = async (): Promise<Answers> => ({
  asked: asksFor(required({}, { cartMandate: await signedCart() })),
  paid: settled,
  payerKyc: kyc(owner),
  payeeKyt: kyt(merchant),
  publicKey: { kind: 'key', publicKey: merchant.publicKey },
  mandate: { kind: 'found', mandate: await signedMandate() },
  hold: { kind: 'held', until: now + 3_600_000 },
  word: { kind: 'pending' },
  journal: 'opened',
  onChain: 'yes',
  found: 'unused',
  standing: { allowance: '0', approvalNonce: '0' },
});

const stateWith = (answers: Answers): GatewayPorts['state'] => ({
  paymentOf: () => Promise.resolve(null),
  paymentBy: () => Promise.resolve(null),
  unresolvedOf: () => Promise.resolve([]),
  findKnown: (entry) => Promise.resolve(entry),
  openPayment: (entry) =>
    Promise.resolve(answers.journal === 'known' ? { kind: 'known', entry } : { kind: answers.journal }),
  keepApproval: (approval) => Promise.resolve(approval),
  endQuestion: () => Promise.resolve(),
  findApproval: () => Promise.resolve(null),
  passOn: (entry) => Promise.resolve(entry),
  unresolved: () => Promise.resolve([]),
  resolveUnused: () => Promise.resolve(),
  withdraw: () => Promise.resolve(true),
  report: () => Promise.resolve(),
  reportUnresolved: () => Promise.resolve(),
  recall: () => Promise.resolve('new'),
  remember: () => Promise.resolve(),
  claim: () => Promise.resolve({ kind: 'mine' }),
  isClaimed: () => Promise.resolve(false),
  renew: () => Promise.resolve(),
  release: () => Promise.resolve(),
  offer: () => Promise.resolve(),
  adopt: () => Promise.resolve(null),
});

/** Ports that behave like a running gateway's, with these answers; `receipts` are the test's own. */
export function portsWith(answers: Answers, receipts: GatewayPorts['receipts']): GatewayPorts {
  let ids = 0;
  const isPayer = (party: string) => party === address(owner);
  return {
    discovery: { search: () => null },
    services: {
      list: () => Promise.resolve([]),
      check: () => Promise.resolve(null),
      call: () => Promise.resolve(answers.asked),
      asksForMoney: () => true,
      hostOf: () => null,
      isFree: () => false,
      callPaid: () => Promise.resolve(answers.paid),
    },
    compliance: {
      kyc: (party) => Promise.resolve(isPayer(party) ? answers.payerKyc : kyc(merchant)),
      kyt: (party) => Promise.resolve(isPayer(party) ? kyt(owner) : answers.payeeKyt),
    },
    mandates: {
      publicKey: () => Promise.resolve(answers.publicKey),
      activeMandate: () => Promise.resolve(answers.mandate),
    },
    holds: { place: () => Promise.resolve(answers.hold), release: () => Promise.resolve() },
    approvals: {
      ask: () => Promise.resolve(answers.word),
      wordOf: () => Promise.resolve(answers.word),
      publicUrl: () => Promise.resolve(null),
      use: () => Promise.resolve(),
    },
    state: stateWith(answers),
    calls: { run: (asked, work) => work(asked) },
    receipts,
    chain: {
      authorizationUsed: () => Promise.resolve(answers.onChain),
      findSettlement: () => Promise.resolve(answers.found),
      permit2Standing: () => Promise.resolve(answers.standing),
      signedByContract: () => () => Promise.resolve(false),
    },
    wallet: {
      address: address(owner),
      sign: () => '0x',
      derive: (text) => `0x${Buffer.from(keccak256(text)).toString('hex')}`,
    },
    policy,
    approvers: [],
    owner: null,
    sendsArguments: true,
    chainName: 'base-sepolia',
    now: () => now,
    timers: systemTimers,
    randomId: () => `id${(ids += 1)}`,
    tracer: silentTracer,
  };
}
