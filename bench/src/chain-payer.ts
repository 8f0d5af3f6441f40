import { randomUUID } from 'node:crypto';
import { connectAgent } from '@countersign/local/agent';
import type { ConnectionCard } from '@countersign/local/connection-card';
import { type GatewayCommand, type Lab, spawnGateway } from './lab.ts';
import type { Owner } from './owners.ts';

/** Somebody who pays for one tool of the sample service, again and again, on the local chain. */
export type ChainPayer = {
  readonly name: string;
  readonly call: (n: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A tool that anybody can afford to call thousands of times. */
export const tool = 'get_tick';

/** An agent with a stock MCP client before a gateway of its own, which pays from this owner's wallet. */
export async function connectGateway(
  lab: Lab,
  gateway: GatewayCommand,
  card: ConnectionCard,
  owner: Owner,
): Promise<ChainPayer> {
  const child = spawnGateway(lab, gateway, {
    EVM_PRIVATE_KEY: owner.privateKey,
    EVM_RPC_URL: card.rpcUrl ?? '',
    DOWNSTREAM_MCP_URLS: `quotes=${card.services[0]?.url ?? ''}`,
    COMPLIANCE_BASE_URL: card.dashboardUrl ?? '',
    COMPLIANCE_API_KEY: owner.apiKey,
    COMPLIANCE_CHAIN: 'base-sepolia',
    PAYMENT_NETWORKS: `eip155:${card.chainId}`,
  });
  const agent = await connectAgent(await child.ready);
  return {
    name: gateway.name,
    async call() {
      const input = { serviceId: 'quotes', toolName: tool, arguments: { symbol: randomUUID() } };
      const { code, message, detail } = await agent.call(input);
      if (!detail.paymentMade) throw new Error(`${code}: ${message}`);
    },
    async close() {
      await agent.close();
      await child.stop();
    },
  };
}
