import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { chainId, newWallet, openDashboardForTest, paymentOf } from './dashboard.ts';

/** A node that knows no transaction, and notes who asks what, and how many at once. */
async function startSlowNode() {
  const asked: { readonly hash: string; readonly at: number }[] = [];
  const busy = { now: 0, max: 0 };
  const answers: Readonly<Record<string, unknown>> = {
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_getBlockByNumber: { number: '0x10' },
    eth_getTransactionReceipt: null,
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => void answer(body, response));
  });
  async function answer(body: string, response: ServerResponse) {
    const { method, params } = JSON.parse(body);
    busy.max = Math.max(busy.max, (busy.now += 1));
    if (method === 'eth_getTransactionReceipt') asked.push({ hash: params[0], at: performance.now() });
    await pause(5);
    busy.now -= 1;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answers[method] }));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked, busy };
}

test('a burst of reports is no burst at the node, and whoever reports much holds up nobody else [dashboard.transactions.verified.bounded]', async () => {
  const node = await startSlowNode();
  const dashboard = await openDashboardForTest({ rpcUrl: node.url });
  const [flood, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const report = (by: typeof flood) => {
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    const body = paymentOf(by.address, { payee: newWallet().address, txHash });
    return dashboard
      .post('/api/transactions', { apiKey: by.apiKey, ...body })
      .then(({ status }) => ({ status, txHash }));
  };
  const made = await Promise.all(Array.from({ length: 150 }, () => report(flood)));
  expect(made.every(({ status }) => status === 201)).toBe(true);
  const { txHash } = await report(other);
  await expect.poll(() => node.asked.some(({ hash }) => hash === txHash)).toBe(true);
  // Its turn came long before that of the last one of the flood.
  expect(node.asked.length).toBeLessThan(150);
  await expect.poll(() => node.asked.length, { timeout: 60_000 }).toBe(151);
  expect(new Set(node.asked.map(({ hash }) => hash)).size).toBe(151);
  expect(node.busy.max).toBeLessThanOrEqual(4);
  for (const { at } of node.asked)
    expect(node.asked.filter((each) => each.at >= at && each.at < at + 900).length).toBeLessThanOrEqual(20);
  // What is not there is looked for again later.
  const asLater = () => {
    dashboard.clock.advance(1_000);
    return node.asked.length;
  };
  await expect.poll(asLater, { timeout: 60_000 }).toBeGreaterThanOrEqual(302);
  expect(new Set(node.asked.map(({ hash }) => hash)).size).toBe(151);
});
