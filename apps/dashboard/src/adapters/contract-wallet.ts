import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { ContractSigned } from '../auth/contract-signed.ts';

const timeoutMs = 5_000;

/**
 * Asks the chain: ERC-1271, and ERC-6492 for a wallet that is not deployed yet. A node of another chain is not
 * believed, because there the same address may be somebody else's. viem's client is loaded on first use: most owners
 * have no such wallet.
 */
export const contractWallets =
  (rpcUrl: URL, chainId: number, log: Logger): ContractSigned =>
  async (wallet, hash, signature) => {
    if (!/^0x([0-9a-fA-F]{2})+$/.test(signature)) return false;
    const { createPublicClient, http, toHex } = await import('viem');
    const client = createPublicClient({
      transport: http(rpcUrl.href, { timeout: timeoutMs, retryCount: 0 }),
    });
    try {
      const [chain, signed] = await Promise.all([
        client.getChainId(),
        client.verifyHash({ address: wallet, hash: toHex(hash), signature: signature as `0x${string}` }),
      ]);
      if (chain !== chainId) log.warn({ chain, wanted: chainId }, 'EVM_RPC_URL is a node of another chain');
      return signed && chain === chainId;
    } catch (error) {
      log.warn({ why: sayWhy(error).split('\n')[0] }, 'no word on a contract wallet from EVM_RPC_URL');
      return false;
    }
  };
