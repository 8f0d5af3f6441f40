// The owner signs what an agent may spend, and once more for a payment beyond that.
import { connectDashboard } from '@countersign/sdk/dashboard';
import { approvalIn, connectGateway } from '@countersign/sdk/gateway';
import { unwrap } from '@countersign/sdk/unwrap';
import { privateKeyToAccount } from 'viem/accounts';
import { card, check } from './card.ts';

// Any wallet that signs messages and typed data will do.
const dashboard = connectDashboard({
  url: card.dashboardUrl,
  wallet: privateKeyToAccount(card.owner.privateKey),
});
const { mandate } = await unwrap(
  dashboard.grantMandate({ title: 'Research agent', perTxLimit: '1', totalBudget: '20', validDays: 30 }),
);
check(`the mandate is signed: at most ${mandate.perTxLimit} USDC a call`, mandate.status === 'active');

// The agent wants something for 5 USDC.
const gateway = await connectGateway({ url: card.gatewayUrl, token: card.gatewayToken });
const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };
const asked = await gateway.call(report);
const approvalId = asked.kind === 'refused' ? approvalIn(asked.data) : null;
check('the agent has to ask', approvalId !== null);

// It lies in the owner's inbox: here is where a person looks at it.
const { data: inbox } = await unwrap(dashboard.listApprovals({ body: { state: 'pending' } }));
const approval = inbox.find((one) => one.approvalId === approvalId);
if (approval === undefined) throw new Error('the approval is not in the inbox');
console.log(`   ${approval.amount} ${approval.currency} to ${approval.payTo} for ${approval.toolName}?`);
await unwrap(dashboard.approvePayment(approval));

// The signature is for this one call, and the agent only has to name it.
const paid = await unwrap(gateway.call({ ...report, paymentPayload: { approvalId } }));
check('the agent calls again, and it is paid', paid.detail.paymentMade);
const twice = await gateway.call({ ...report, paymentPayload: { approvalId } });
check('a second time it is used up', twice.kind === 'refused' && twice.code === 'APPROVAL_ALREADY_USED');

await gateway.close();
await dashboard.close();
