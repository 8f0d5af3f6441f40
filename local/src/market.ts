import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { freePort } from '@countersign/service/free-port';
import { createLogger } from '@countersign/service/logger';
import { ownedProcesses } from '@countersign/service/owned-process';
import { type Chain, startChain } from './chain.ts';
import { startFacilitator } from './facilitator.ts';
import type { HttpServer } from './http-server.ts';
import { facilitatorClient } from './merchant/facilitator-client.ts';
import { createMerchant, type Merchant } from './merchant/merchant.ts';
import { keyBytes, type PrivateKey } from './private-key.ts';
import { type SampleServices, startSampleServices } from './sample-services.ts';

/** Everything needed to get paid: a chain, a facilitator, both sample services and their merchant. */
export type Market = {
  readonly chain: Chain;
  readonly facilitator: HttpServer;
  readonly samples: SampleServices;
  readonly merchant: Merchant;
  readonly merchantKey: PrivateKey;
  readonly stop: () => Promise<void>;
};

/** A market of its own on free ports, gone without a trace after `stop`. For tests, examples and benchmarks. */
export async function startMarket(): Promise<Market> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-market-'));
  const processes = await ownedProcesses();
  const log = createLogger('market', 'error');
  const [gasKey, merchantKey] = [newPrivateKey(), newPrivateKey()];

  const funded = [addressOfPrivateKey(keyBytes(gasKey))];
  const chain = await startChain({ dir, port: await freePort(), processes, funded, log });
  const local = { host: '127.0.0.1', port: 0 };
  const rpcUrl = new URL(chain.rpcUrl);
  const facilitator = await startFacilitator(
    { ...local, privateKey: gasKey, rpcUrl, chainId: chain.chainId, exportsTraces: false },
    log,
  );
  const sale = { network: `eip155:${chain.chainId}`, asset: chain.tokenAddress };
  const facilitatorUrl = new URL(facilitator.url);
  const ports = { host: local.host, quotesPort: 0, archivePort: 0 };
  const samples = await startSampleServices(
    { ...ports, ...sale, merchantKey, facilitatorUrl, shop: null, exportsTraces: false },
    log,
  );

  const client = facilitatorClient(facilitatorUrl);
  const merchant = createMerchant({ id: 'quotes', privateKey: merchantKey, ...sale, facilitator: client });
  const stop = async () => {
    await samples.stop();
    await facilitator.stop();
    await processes.stopAll();
    await rm(dir, { recursive: true });
  };
  return { chain, facilitator, samples, merchant, merchantKey, stop };
}

/** A fresh private key. */
export const newPrivateKey = (): PrivateKey => `0x${randomBytes(32).toString('hex')}`;
