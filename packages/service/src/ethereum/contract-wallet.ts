import { sayWhy } from '../lifecycle.ts';
import type { Logger } from '../logger.ts';
import type { ContractSigned } from './wallet-signature.ts';

type Node = {
  readonly rpcUrl: URL;
  /** A node of another chain is not believed, because there the same address may be somebody else's. */
  readonly chainId: number;
  readonly timeoutMs: number;
  readonly log: Logger;
};

/** The last 32 bytes of a signature that carries the way to deploy its wallet (ERC-6492). */
const wrapper = '6492'.repeat(16);
/** The prefix of an account's code that delegates to a contract (EIP-7702). */
const delegated = '0xef0100';
/** A contract's answer for a valid signature (ERC-1271). */
const magic = '0x1626ba7e';
const abi = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [{ type: 'bytes32' }, { type: 'bytes' }],
    outputs: [{ type: 'bytes4' }],
  },
] as const;

/**
 * Asks the chain: ERC-1271 where there is code, ERC-6492 where the signature says how to deploy the wallet, nobody
 * else: an address that delegates is still a key's. So no key signs here in a form that is refused elsewhere. viem is loaded on first use: most owners have no
 * such wallet.
 */
export const contractWallets =
  ({ rpcUrl, chainId, timeoutMs, log }: Node): ContractSigned =>
  async (address, hash, signature) => {
    if (!isBytes(signature)) return false;
    const { createPublicClient, http, toHex } = await import('viem');
    const client = createPublicClient({
      transport: http(rpcUrl.href, { timeout: timeoutMs, retryCount: 0 }),
    });
    const question = { address, hash: toHex(hash), signature };
    try {
      const chain = await client.getChainId();
      if (chain !== chainId) log.warn({ chain, wanted: chainId }, 'EVM_RPC_URL is a node of another chain');
      if (chain !== chainId) return false;
      const code = await client.getCode({ address });
      if (code?.toLowerCase().startsWith(delegated) === true) return false;
      if (signature.toLowerCase().endsWith(wrapper)) return await client.verifyHash(question);
      if (code === undefined) return false;
      const args = [question.hash, signature] as const;
      return (await client.readContract({ address, abi, functionName: 'isValidSignature', args })) === magic;
    } catch (error) {
      log.warn({ why: sayWhy(error).split('\n')[0] }, 'no word on a contract wallet from EVM_RPC_URL');
      return false;
    }
  };

const isBytes = (text: string): text is `0x${string}` => /^0x([0-9a-fA-F]{2})+$/.test(text);
