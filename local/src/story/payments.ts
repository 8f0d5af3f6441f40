import { formatAmount, fromBaseUnits } from '@countersign/protocol/amount';
import { connectDashboard } from '@countersign/sdk/dashboard';
import { approvalIn, type Called, connectGateway, type Gateway, textOf } from '@countersign/sdk/gateway';
import { unwrap } from '@countersign/sdk/unwrap';
import { privateKeyToAccount } from 'viem/accounts';
import { balanceOf } from '../chain-accounts.ts';
import type { PrivateKey } from '../private-key.ts';
import type { Print } from './print.ts';

/** The addresses and keys that the payments need. */
export type PaymentCard = {
  readonly gatewayUrl: string;
  readonly gatewayToken: string;
  readonly dashboardUrl: string;
  readonly rpcUrl: string;
  readonly owner: { readonly address: string; readonly privateKey: PrivateKey };
  readonly merchant: { readonly address: string };
};

/**
 * An agent pays: it looks around, calls a free tool, pays for another, runs into the owner's limit, and pays
 * once the owner has approved. Prints what happens. True when everything happened as it should.
 */
export async function payForTools(card: PaymentCard, print: Print): Promise<boolean> {
  const agent = await connectGateway({ url: card.gatewayUrl, token: card.gatewayToken });
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

async function lookAround(agent: Gateway, _card: PaymentCard, print: Print): Promise<boolean> {
  print('The agent lists the services and their tools.');
  const services = await unwrap(agent.listServices());
  for (const { serviceId, transport, tools } of services) {
    print(`  ${serviceId} (${transport}): ${tools.map((tool) => tool.name).join(', ')}`);
  }
  return services.length > 0 && services.every((service) => service.status === 'connected');
}

async function callFreeTool(agent: Gateway, _card: PaymentCard, print: Print): Promise<boolean> {
  print('It calls a free tool.');
  const answer = await agent.call({ serviceId: 'quotes', toolName: 'ping' });
  print(`  ping → ${codeOf(answer)}, nothing paid`);
  return answer.kind === 'ok' && !answer.data.detail.paymentMade;
}

async function payForTool(agent: Gateway, card: PaymentCard, print: Print): Promise<boolean> {
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
  print(`  get_quote → ${codeOf(answer)}`);
  if (answer.kind !== 'ok') return explain(answer, print);
  print(`  answer       ${textOf(answer.data)}`);
  print(`  transaction  ${String(answer.data.detail.paymentResponse?.['transaction'])}`);
  print(`  owner        ${usdc(before.owner)} → ${usdc(after.owner)} USDC`);
  print(`  merchant     ${usdc(before.merchant)} → ${usdc(after.merchant)} USDC`);
  return (
    answer.data.detail.paymentMade &&
    before.owner - after.owner === 10_000n &&
    after.merchant - before.merchant === 10_000n
  );
}

async function meetTheLimit(agent: Gateway, card: PaymentCard, print: Print): Promise<boolean> {
  print(
    'It wants a report for 5 USDC. The owner signed at most 1 USDC per call, so the owner has to decide.',
  );
  const before = await balances(card);
  const answer = await agent.call(report);
  const after = await balances(card);
  const reason = answer.kind === 'refused' ? answer.data.detail.assuranceResult?.errorCode : undefined;
  print(`  get_report → ${codeOf(answer)} (${reason ?? 'no reason'})`);
  print(`  nothing moved: the owner still has ${usdc(after.owner)} USDC`);
  if (answer.kind !== 'refused' || answer.code !== 'WALLET_APPROVAL_REQUIRED') return explain(answer, print);
  return before.owner === after.owner && approveAsOwner(agent, card, approvalIn(answer.data), print);
}

const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };

async function approveAsOwner(
  agent: Gateway,
  card: PaymentCard,
  approvalId: string | null,
  print: Print,
): Promise<boolean> {
  print('The owner reviews the payment and signs it, and only it. The agent calls again.');
  await signInInbox(card, approvalId);
  const before = await balances(card);
  const answer = await agent.call({ ...report, paymentPayload: { approvalId } });
  const after = await balances(card);
  print(`  get_report → ${codeOf(answer)}`);
  if (answer.kind !== 'ok') return explain(answer, print);
  print(`  transaction  ${String(answer.data.detail.paymentResponse?.['transaction'])}`);
  print(`  owner        ${usdc(before.owner)} → ${usdc(after.owner)} USDC`);
  print(`  merchant     ${usdc(before.merchant)} → ${usdc(after.merchant)} USDC`);
  return before.owner - after.owner === 5_000_000n;
}

/** Acts as the owner in the console. */
async function signInInbox({ dashboardUrl, owner }: PaymentCard, approvalId: string | null): Promise<void> {
  const dashboard = connectDashboard({ url: dashboardUrl, wallet: privateKeyToAccount(owner.privateKey) });
  const { data } = await unwrap(dashboard.listApprovals({ body: { state: 'pending' } }));
  const approval = data.find((one) => one.approvalId === approvalId);
  if (approval === undefined) throw new Error('the payment is not in the inbox of the owner');
  await unwrap(dashboard.approvePayment(approval));
  await dashboard.close();
}

const codeOf = (answer: Called): string => {
  switch (answer.kind) {
    case 'ok':
      return answer.data.code;
    case 'refused':
      return answer.code;
    case 'failed':
      return answer.why;
  }
};

function explain(answer: Called, print: Print): false {
  if (answer.kind === 'refused') print(`  ${answer.msg}`);
  return false;
}

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
