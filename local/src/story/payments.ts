import { formatAmount, fromBaseUnits } from '@countersign/protocol/amount';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { paymentMandateDomain, paymentMandateTypes } from '@countersign/protocol/gateway/payment-mandate';
import { signHash } from '@countersign/service/ethereum/signature';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { z } from 'zod';
import { type Agent, connectAgent } from '../agent.ts';
import { balanceOf } from '../chain-accounts.ts';
import { keyBytes, type PrivateKey } from '../private-key.ts';
import type { Print } from './story.ts';

/** What the payments need to know of the running system. */
export type PaymentCard = {
  readonly gatewayUrl: string;
  readonly gatewayToken: string;
  readonly rpcUrl: string;
  readonly owner: { readonly address: string; readonly privateKey: PrivateKey };
  readonly merchant: { readonly address: string };
};

/**
 * An agent pays: it looks around, calls a free tool, pays for another, runs into the owner's limit, and pays
 * once the owner has approved. Prints what happens. True when everything happened as it should.
 */
export async function payForTools(card: PaymentCard, print: Print): Promise<boolean> {
  const agent = await connectAgent(card.gatewayUrl, card.gatewayToken);
  try {
    const chapters = [lookAround, callFreeTool, payForTool, meetTheLimit];
    for (const chapter of chapters) {
      if (!(await chapter(agent, card, print))) return false;
    }
    return true;
  } finally {
    await agent.close();
  }
}

async function lookAround(agent: Agent, _card: PaymentCard, print: Print): Promise<boolean> {
  print('The agent asks what there is.');
  const services = await agent.list();
  for (const { serviceId, transport, tools } of services) {
    print(`  ${serviceId} (${transport}): ${tools.map((tool) => tool.name).join(', ')}`);
  }
  return services.length > 0 && services.every((service) => service.status === 'connected');
}

async function callFreeTool(agent: Agent, _card: PaymentCard, print: Print): Promise<boolean> {
  print('It calls a free tool.');
  const answer = await agent.call({ serviceId: 'quotes', toolName: 'ping' });
  print(`  ping → ${answer.code}, nothing paid`);
  return answer.ok && !answer.detail.paymentMade;
}

async function payForTool(agent: Agent, card: PaymentCard, print: Print): Promise<boolean> {
  print(
    'It asks for a quote that costs 0.01 USDC. The gateway screens both parties, checks the mandate, and pays.',
  );
  const before = await balances(card);
  const answer = await agent.call({
    serviceId: 'quotes',
    toolName: 'get_quote',
    arguments: { symbol: 'ACME' },
  });
  const after = await balances(card);
  print(`  get_quote → ${answer.code}`);
  if (!answer.ok) return explain(answer, print);
  print(`  answer       ${textOf(answer)}`);
  print(`  transaction  ${String(answer.detail.paymentResponse?.['transaction'])}`);
  print(`  owner        ${usdc(before.owner)} → ${usdc(after.owner)} USDC`);
  print(`  merchant     ${usdc(before.merchant)} → ${usdc(after.merchant)} USDC`);
  return (
    answer.detail.paymentMade &&
    before.owner - after.owner === 10_000n &&
    after.merchant - before.merchant === 10_000n
  );
}

async function meetTheLimit(agent: Agent, card: PaymentCard, print: Print): Promise<boolean> {
  print(
    'It wants a report for 5 USDC. The owner signed at most 1 USDC a call, so the decision returns to the owner.',
  );
  const before = await balances(card);
  const answer = await agent.call(report);
  const after = await balances(card);
  print(`  get_report → ${answer.code} (${answer.detail.assuranceResult?.errorCode ?? 'no reason'})`);
  print(`  nothing moved: the owner still has ${usdc(after.owner)} USDC`);
  const isAsked = answer.code === 'WALLET_APPROVAL_REQUIRED' && before.owner === after.owner;
  return isAsked && approveAsOwner(agent, card, answer, print);
}

const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };

async function approveAsOwner(
  agent: Agent,
  card: PaymentCard,
  challenge: GatewayEnvelope,
  print: Print,
): Promise<boolean> {
  print('The owner looks at the payment, signs exactly this one, and the agent calls again.');
  const approval = approvalIn.safeParse(challenge.detail.paymentContext);
  if (!approval.success) return explain(challenge, print);
  const { approvalId, typedData } = approval.data.approval;
  const hash = hashApproval(paymentMandateDomain(typedData.domain.chainId), typedData.message);
  const paymentPayload = { approvalId, signature: signHash(hash, keyBytes(card.owner.privateKey)) };

  const before = await balances(card);
  const answer = await agent.call({ ...report, paymentPayload });
  const after = await balances(card);
  print(`  get_report → ${answer.code}`);
  if (!answer.ok) return explain(answer, print);
  print(`  transaction  ${String(answer.detail.paymentResponse?.['transaction'])}`);
  print(`  owner        ${usdc(before.owner)} → ${usdc(after.owner)} USDC`);
  print(`  merchant     ${usdc(before.merchant)} → ${usdc(after.merchant)} USDC`);
  return before.owner - after.owner === 5_000_000n;
}

const hashApproval = typedDataHasher('PaymentMandate', paymentMandateTypes.PaymentMandate);

const approvalIn = z.object({
  approval: z.object({
    approvalId: z.string(),
    typedData: z.object({
      domain: z.object({ chainId: z.number() }),
      message: z.record(z.string(), z.string()),
    }),
  }),
});

function explain(answer: GatewayEnvelope, print: Print): false {
  print(`  ${answer.message}`);
  return false;
}

const textOf = ({ detail }: GatewayEnvelope): string => {
  const [first] = detail.downstreamContent as { text?: string }[];
  return first?.text ?? '';
};

async function balances({
  rpcUrl,
  owner,
  merchant,
}: PaymentCard): Promise<{ owner: bigint; merchant: bigint }> {
  const [ownersUnits, merchantsUnits] = await Promise.all([
    balanceOf(rpcUrl, owner.address),
    balanceOf(rpcUrl, merchant.address),
  ]);
  return { owner: ownersUnits, merchant: merchantsUnits };
}

const usdc = (units: bigint): string => formatAmount(fromBaseUnits(units, 6));
