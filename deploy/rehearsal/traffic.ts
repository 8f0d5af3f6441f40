import { setTimeout as sleep } from 'node:timers/promises';
import { balanceOf } from '@countersign/local/chain-accounts';
import type { StoryCard } from '@countersign/local/story/story';
import { type Called, connectGateway } from '@countersign/sdk/gateway';

/** What came of it all: `lost` has a line for each call without the answer that it should have had. */
type Tally = { readonly free: number; readonly paid: number; readonly lost: readonly string[] };
export type Traffic = { readonly stop: () => Promise<Tally> };

/** Between two calls of one agent. */
const pauseMs = 150;
/** Of one paid quote, in the token's smallest units. */
const price = 10_000n;

/** Agents that call free and paid tools through the balancer until they are stopped. None calls twice for one answer. */
export async function keepCalling(card: StoryCard): Promise<Traffic> {
  const over = new AbortController();
  const [lost, done] = [[] as string[], { free: 0, paid: 0 }];
  const before = await balanceOf(card.rpcUrl, card.merchant.address);
  const agent = async (kind: 'free' | 'paid') => {
    const gateway = await connectGateway({ url: card.gatewayUrl, token: card.gatewayToken });
    while (!over.signal.aborted) {
      const called = await gateway.call(kind === 'free' ? { serviceId: 'quotes', toolName: 'ping' } : quote);
      if (isGood(called, kind)) done[kind] += 1;
      else lost.push(`${kind}: ${said(called)}`);
      await sleep(pauseMs, null, { signal: over.signal }).catch(() => {});
    }
    await gateway.close();
  };
  const agents = Promise.all([agent('free'), agent('free'), agent('paid'), agent('paid')]);
  return {
    async stop() {
      over.abort();
      await agents;
      const moved = (await balanceOf(card.rpcUrl, card.merchant.address)) - before;
      if (moved !== BigInt(done.paid) * price)
        lost.push(`${done.paid} payments were told, and ${moved} units moved`);
      return { ...done, lost };
    },
  };
}

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };

const isGood = (called: Called, kind: 'free' | 'paid'): boolean =>
  called.kind === 'ok' && called.data.detail.paymentMade === (kind === 'paid');

const said = (called: Called): string => {
  switch (called.kind) {
    case 'ok':
      return 'a payment too much or too few';
    case 'refused':
      return called.code;
    case 'failed':
      return called.why;
  }
};
