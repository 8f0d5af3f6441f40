// An agent pays for tools through the gateway, within what its owner signed. It holds no key.
import { connectGateway, textOf } from '@countersign/sdk/gateway';
import { unwrap } from '@countersign/sdk/unwrap';
import { card, check } from './card.ts';

const gateway = await connectGateway({ url: card.gatewayUrl, token: card.gatewayToken });

const services = await unwrap(gateway.listServices());
for (const { serviceId, tools } of services)
  console.log(`   ${serviceId}: ${tools.map(({ name }) => name).join(', ')}`);

// 0.01 USDC. With a key of your own, a call that is repeated pays once, whatever happened in between.
const quote = {
  serviceId: 'quotes',
  toolName: 'get_quote',
  arguments: { symbol: 'ACME' },
  idempotencyKey: crypto.randomUUID(),
};
const paid = await unwrap(gateway.call(quote));
check(`paid for a quote: ${textOf(paid)}`, paid.detail.paymentMade);

const again = await unwrap(gateway.call(quote));
const transactionOf = ({ detail }: typeof paid) => detail.paymentResponse?.['transaction'];
check('the same call again is the same payment', transactionOf(again) === transactionOf(paid));

// 5 USDC, and the owner signed 1 USDC a call: no error, but a question to the owner.
const report = await gateway.call({
  serviceId: 'quotes',
  toolName: 'get_report',
  arguments: { symbol: 'ACME' },
});
check(
  'a report beyond the budget is not paid; the owner is asked',
  report.kind === 'refused' &&
    report.code === 'WALLET_APPROVAL_REQUIRED' &&
    report.data.detail.assuranceResult?.errorCode === 'PER_TX_LIMIT_EXCEEDED' &&
    !report.data.detail.paymentMade,
);

await gateway.close();
