import { toHex } from 'viem';
import { expect, test } from 'vitest';
import { asksFor, goodAnswers, portsWith } from '../../test/paying-ports.ts';
import { address, call, merchant, now, owner, policy, required, stranger } from '../../test/samples.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import { hashApproval, type StoredApproval } from '../rules/approval.ts';
import { callAndPay } from './call-and-pay.ts';

const receipts = {
  configuration: { hash: '' },
  append: async () => null,
} as unknown as GatewayPorts['receipts'];

const ways = {
  eip3009: required({}, {}),
  permit2: required({}, { assetTransferMethod: 'permit2' }),
  'upto by one': required({ scheme: 'upto' }, { facilitatorAddress: stranger.address }),
  'upto by another': required({ scheme: 'upto' }, { facilitatorAddress: merchant.address }),
} as const;
type Way = keyof typeof ways;

/** A service that asks in one way and, once the owner has signed, in another; what the call comes to then. */
async function approved(first: Way, then: Way) {
  let way = first;
  const kept: StoredApproval[] = [];
  const ports = portsWith(
    {
      ...(await goodAnswers()),
      standing: { allowance: '99999999', approvalNonce: null },
      onChain: { moved: '1' },
    },
    receipts,
  );
  const gateway: GatewayPorts = {
    ...ports,
    policy: { ...policy, methods: ['permit2', 'upto'] },
    // What the owner approved takes its place.
    holds: {
      ...ports.holds,
      place: async ({ approvalId }) =>
        approvalId === undefined
          ? { kind: 'over-limit', code: 'PER_TX_LIMIT_EXCEEDED', exceeded: ['PER_TX_LIMIT_EXCEEDED'] }
          : { kind: 'held', until: now + 3_600_000 },
    },
    services: { ...ports.services, call: async () => asksFor(ways[way]) },
    state: {
      ...ports.state,
      keepApproval: async (approval) => {
        kept.push(approval);
        return approval;
      },
      findApproval: async (id) => kept.find(({ message }) => message.approvalId === id) ?? null,
    },
  };
  const asked = await callAndPay(gateway, call());
  expect(asked.code).toBe('WALLET_APPROVAL_REQUIRED');
  const [{ message, chainId } = {} as StoredApproval] = kept;
  const hash = hashApproval({ message, chainId } as StoredApproval);
  const signature = await owner.sign({ hash: toHex(hash) });
  way = then;
  const paymentPayload = { approvalId: message.approvalId, signature };
  const answer = await callAndPay(gateway, call({ paymentPayload }));
  return { approvalId: message.approvalId, code: answer.code };
}

const all = Object.keys(ways) as Way[];
test.each(all.flatMap((first) => all.map((then) => [first, then] as const)))(
  'an approval asked for by %s pays by %s where that is the same, and else the owner is asked [gateway.permit2.approved]',
  async (first, then) => {
    const { approvalId, code } = await approved(first, then);
    const ending = {
      eip3009: '',
      permit2: '_permit2',
      'upto by one': `_upto_${address(stranger)}`,
      'upto by another': `_upto_${address(merchant)}`,
    };
    expect(approvalId).toMatch(new RegExp(`^apr_[^_]+${ending[first]}$`));
    expect(code).toBe(first === then ? 'SUCCESS' : 'WALLET_APPROVAL_REQUIRED');
  },
);
