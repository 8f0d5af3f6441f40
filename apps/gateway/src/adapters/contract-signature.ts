import type { Address } from '@countersign/protocol/address';

/**
 * Asks a contract wallet whether it signed (ERC-1271, and ERC-6492 for one not deployed yet). viem is loaded on
 * first use: most gateways never meet a contract wallet, and it would triple their start-up.
 */
export async function contractSigned(
  rpcUrl: URL,
  timeoutMs: number,
  wallet: Address,
  hash: Uint8Array,
  signature: string,
): Promise<boolean> {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(signature)) return false;
  const { createPublicClient, http, toHex } = await import('viem');
  const client = createPublicClient({ transport: http(rpcUrl.href, { timeout: timeoutMs, retryCount: 0 }) });
  try {
    return await client.verifyHash({
      address: wallet,
      hash: toHex(hash),
      signature: signature as `0x${string}`,
    });
  } catch {
    return false;
  }
}
