import type { GatewayState } from '@countersign/gateway/state/state';
import type { Bug } from './gateway.ts';

export type PutBack = Bug & {
  readonly name: string;
  /** The line of issue 15 that it breaks, or what else forbids it. */
  readonly breaks: string;
  /** What the simulation has to say of it: the invariant that it breaks. */
  readonly why: RegExp;
};

const neverAborts = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };

/** State of which some methods are others. */
const state = (change: (state: GatewayState) => Partial<GatewayState>): Bug => ({
  state: (opened) => ({ ...opened, ...change(opened) }),
});

/** Bugs of the past and of nearly: each is put where the code meets what it leans on. */
export const putBack: readonly PutBack[] = [
  {
    name: 'a cancelled call is paid',
    breaks: '1',
    why: /left although everybody had cancelled/,
    ports: (ports) => ({
      ...ports,
      calls: { run: (call, work) => ports.calls.run({ ...call, signal: neverAborts }, work) },
    }),
  },
  {
    name: 'a hold of a cancelled call is not released',
    breaks: '1',
    why: /is held for a payment that never left/,
    ports: (ports) => ({ ...ports, holds: { ...ports.holds, release: async () => {} } }),
  },
  {
    name: 'an answer whose caller left is offered to nobody',
    breaks: '2',
    why: /payments settled for \d answers/,
    ...state(() => ({ adopt: async () => null })),
  },
  {
    name: 'what a process that died has paid for is paid for again',
    breaks: '2',
    why: /payments settled for \d answers/,
    ...state(() => ({ unresolvedOf: async () => [] })),
  },
  {
    name: 'a retry is judged against what its own payment holds',
    breaks: '4',
    why: /was asked for an approval, though/,
    ...state(() => ({ paymentOf: async () => null })),
  },
  {
    name: 'a payment that is sent again gets another nonce',
    breaks: '4',
    why: /two payments of one key can be taken/,
    ...state((opened) => ({
      paymentOf: async () => null,
      openPayment: (entry, budget, approvalId) =>
        opened.openPayment({ ...entry, callKey: null }, budget, approvalId),
    })),
    ports: (ports) => ({
      ...ports,
      wallet: { ...ports.wallet, derive: (text) => ports.wallet.derive(`${text} ${ports.randomId()}`) },
    }),
  },
  {
    name: 'the maximum of a call is not looked at',
    breaks: '6',
    why: /is above the maximum of its call/,
    ports: (ports) => ({
      ...ports,
      calls: { run: (call, work) => ports.calls.run({ ...call, maxAmount: undefined }, work) },
    }),
  },
  {
    name: 'without a cart nothing is held against the budget',
    breaks: '8',
    why: /was paid beside the owner's mandate/,
    ports: (ports) => ({
      ...ports,
      policy: { ...ports.policy, missingCart: { otherwise: 'skip', byService: new Map() } },
    }),
  },
  {
    name: 'a revoked mandate counts as none that ever was',
    breaks: '8',
    why: /was paid beside the owner's mandate/,
    ports: (ports) => ({
      ...ports,
      mandates: {
        ...ports.mandates,
        activeMandate: async (payer, span) => {
          const found = await ports.mandates.activeMandate(payer, span);
          return found.kind === 'none' ? { kind: 'never' } : found;
        },
      },
    }),
  },
  {
    name: 'one approval is good for two payments',
    breaks: '9',
    why: /two payments of one approval can be taken/,
    ...state((opened) => ({ openPayment: (entry, budget) => opened.openPayment(entry, budget, null) })),
  },
  {
    name: 'a payment is sent before it is in the journal',
    breaks: 'docs/decisions/0003',
    why: /left without being in the journal/,
    ...state((opened) => ({
      openPayment: async (...opening) => {
        void opened.openPayment(...opening);
        return { kind: 'opened' };
      },
    })),
  },
  {
    name: 'a payment is sent before the journal is on disk',
    breaks: 'docs/decisions/0003',
    why: /left before the journal was on disk/,
    parts: (parts) => ({
      ...parts,
      open: (life) => {
        const environment = parts.open(life);
        return { ...environment, durably: environment.commit };
      },
    }),
  },
  {
    name: 'a payment of unknown outcome is forgotten by the clock',
    breaks: 'docs/decisions/0003',
    why: /can be taken, and nobody would record it/,
    parts: (parts) => ({
      ...parts,
      chain: parts.chain && { ...parts.chain, staysUnused: async () => true },
    }),
  },
  {
    name: 'a report that got no answer counts as delivered',
    breaks: 'docs/decisions/0009',
    why: /can be taken, and nobody would record it/,
    parts: (parts) => ({
      ...parts,
      dashboard: {
        ...parts.dashboard,
        reportTransaction: async (asked) => {
          const answer = await parts.dashboard.reportTransaction(asked);
          return answer.kind === 'failed' ? { kind: 'ok', data: { id: 0 }, asked: '' } : answer;
        },
      },
    }),
  },
  {
    name: 'a report that is delivered twice counts twice',
    breaks: '18',
    why: /is charged for more than has settled/,
    parts: (parts) => ({
      ...parts,
      dashboard: {
        ...parts.dashboard,
        reportTransaction: (asked) => {
          const twice = { ...asked.body, txHash: `${asked.body.txHash} of ${parts.newId()}` };
          return parts.dashboard.reportTransaction({
            ...asked,
            body: asked.body.txHash ? twice : asked.body,
          });
        },
      },
    }),
  },
  {
    name: 'a hold ends before its payment does',
    breaks: 'docs/decisions/0018',
    why: /over budget/,
    ports: (ports) => ({
      ...ports,
      holds: {
        ...ports.holds,
        place: (hold, span) => ports.holds.place({ ...hold, ttlSeconds: 1 }, span),
      },
    }),
  },
  {
    name: 'the journal does not count what is open',
    breaks: 'docs/decisions/0018',
    why: /over budget/,
    ...state((opened) => ({
      openPayment: (entry, _, approvalId) => opened.openPayment(entry, null, approvalId),
    })),
  },
  {
    name: 'a payment that another process left is sent before it is on disk',
    breaks: 'docs/decisions/0003',
    why: /left before the journal was on disk/,
    ...state((opened) => ({
      findKnown: async ({ callKey, nonce }) =>
        (callKey === null ? null : await opened.paymentOf(callKey)) ?? opened.paymentBy(nonce),
    })),
  },
  {
    name: 'a release ends a hold that another gateway leans on',
    breaks: '1',
    why: /can be taken, and its hold was given back/,
    parts: (parts) => ({
      ...parts,
      dashboard: {
        ...parts.dashboard,
        releaseHold: ({ body: { holdId }, ...asked }) =>
          parts.dashboard.releaseHold({ ...asked, body: { holdId } }),
      },
    }),
  },
];
